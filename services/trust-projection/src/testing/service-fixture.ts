import { startReplica } from '@agent-trust/edge-replica/bus';
import { migratePostgresEventLog, openEventLog, type EventLog } from '@agent-trust/event-log';
import { openKeyStore, type KeyStore, preparePersonalData, wrappingKeyOf } from '@agent-trust/personal-data';
import { connectRpc, type Rpc } from '@agent-trust/nats-rpc';
import { createLogger, type RunningService, startWaits } from '@agent-trust/service-kit';
import { createTestBus, createTestDatabase, openTestPool } from '@agent-trust/test-kit';
import { trustProjectionSettings } from '../settings.ts';
import { startTrustProjection } from '../start-trust-projection.ts';
import { appendHistory, type MadeEvent } from './made-history.ts';

const stopTimeoutMs = 10_000;
const visibleWithinMs = 30_000;
const wrappingSecret = 'wraps the keys of the tests of trust-projection';

export type ServiceFixture = {
  url: string;
  log: EventLog;
  contactKeys: KeyStore;
  /** Sends queries like the gateway. */
  gateway: Rpc;
  /** Appends a history and returns its last position in the form that queries use. */
  record(...history: MadeEvent[]): Promise<string>;
  /** Waits until readers see a write, as the gateway does. */
  untilVisible(position: string): Promise<void>;
  query<Row extends object>(text: string): Promise<Row[]>;
  startInstance(instanceId: string): Promise<RunningService>;
  /** The first instance. */
  instance: RunningService;
  close(): Promise<void>;
};

/** A database with an event log, NATS, one instance of the service, and a gateway's connection to the bus. */
export async function createServiceFixture(): Promise<ServiceFixture> {
  const database = await createTestDatabase();
  const { url } = database;
  await migratePostgresEventLog(url);
  await preparePersonalData(url);
  const log = await openEventLog(url);
  const logger = createLogger({ service: 'trust-projection', instanceId: 'test', level: 'silent' });
  // A separate bus: on a shared one the services of other tests would answer, too.
  const natsUrl = createTestBus().url;
  const config = trustProjectionSettings.parse({
    NATS_URL: natsUrl,
    EVENT_LOG_URL: url,
    DATABASE_URL: url,
    BASE_URL: 'http://registry.test',
    LOG_SIGNING_KEY: Buffer.alloc(32, 7).toString('base64url'),
    PERSONAL_DATA_KEY: wrappingSecret,
    WEBHOOK_SECRET: 'what the secrets of the tests come from',
  });
  const contactKeys = openKeyStore(url, wrappingKeyOf(wrappingSecret));
  const running: RunningService[] = [];
  const startInstance = async (instanceId: string): Promise<RunningService> => {
    const stopping = new AbortController();
    const service = await startTrustProjection({ ...config, INSTANCE_ID: instanceId }, logger, {
      starting: () => undefined,
      waits: startWaits(logger),
      stopping: stopping.signal,
      fail: (error) => {
        throw error;
      },
    });
    // Tests close the bus themselves.
    stopping.abort();
    running.push(service);
    return service;
  };
  const instance = await startInstance('first');
  const gateway = await connectRpc({ natsUrl, service: 'gateway', instanceId: 'test' });
  const replica = startReplica(
    gateway.connection,
    { service: 'gateway', bytesMax: 0, isFrequent: () => false, hasWriters: true },
    logger,
  );
  const pool = openTestPool({ connectionString: url, max: 1 });
  return {
    url,
    log,
    contactKeys,
    gateway,
    record: async (...history) => String(await appendHistory(log, history)),
    untilVisible: (position) => replica.untilVisible(BigInt(position), visibleWithinMs),
    query: async <Row extends object>(text: string): Promise<Row[]> => (await pool.query<Row>(text)).rows,
    startInstance,
    instance,
    close: async () => {
      replica.close();
      await gateway.close();
      for (const service of running) await service.stop(stopTimeoutMs);
      await pool.end();
      await contactKeys.close();
      await log.close();
      await database.drop();
    },
  };
}
