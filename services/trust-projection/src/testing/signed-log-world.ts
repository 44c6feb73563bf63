import { randomUUID } from 'node:crypto';
import { migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createLogger } from '@agent-trust/service-kit';
import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { startLogRecord } from '../audit/start-log-record.ts';
import { type Checkpoints, checkpointsOf } from '../log-signing/checkpoints.ts';
import { logIdentity } from '../log-signing/log-identity.ts';
import { openSignedHeadStore, type SignedHeadStore } from '../log-signing/signed-head-store.ts';

export const origin = 'registry.test/log';
export const seed = new Uint8Array(32).fill(7);
export const logger = createLogger({ service: 'trust-projection', instanceId: 'test', level: 'silent' });

/** An event log with its running record, and the signing instances beside it. */
export const startWorld = async () => {
  const test = await createTestDatabase();
  await migratePostgresEventLog(test.url);
  const log = await openEventLog(test.url);
  const record = await startLogRecord({ databaseUrl: test.url, log, logger });
  const owner = new pg.Client({ connectionString: test.url });
  await owner.connect();
  /** Appends events and waits until they are leaves; returns the position of the last. */
  const grow = async (count = 1): Promise<bigint> => {
    let last = 0n;
    for (let n = 0; n < count; n += 1) {
      const event = { eventId: randomUUID(), type: 'RainFell', data: { n }, metadata: {} };
      last = (await log.append('weather-1', [event], { expectedRevision: 'any' })).position;
    }
    await record.watcher.waitFor(last, { timeoutMs: 10_000 });
    return last;
  };
  /** What was signed, as another instance remembers it. */
  const openStore = async (name = origin): Promise<SignedHeadStore> => {
    const store = await openSignedHeadStore(test.url, () => name, logger);
    onTestFinished(() => store.close());
    return store;
  };
  /** Signs as another instance does. */
  const instance = async (name = origin): Promise<Checkpoints> => {
    const store = await openStore(name);
    return checkpointsOf({ identity: await logIdentity(name, seed), store, tree: record.tree, log, logger });
  };
  /** A manipulation by an operator that bypasses the rules of the log. */
  const edit = async (sql: string): Promise<void> => {
    await owner.query(`SET session_replication_role TO replica; ${sql}; SET session_replication_role TO origin`);
  };
  return {
    url: test.url,
    tree: record.tree,
    owner,
    edit,
    grow,
    openStore,
    instance,
    close: async () => {
      await owner.end();
      await record.stop();
      await log.close();
      await test.drop();
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;
