import { randomUUID } from 'node:crypto';
import {
  type AgentContact,
  agentStream,
  eventDefinitions,
  type RegistryEvent,
  type ServiceName,
  type UnaryMethod,
} from '@agent-trust/contracts';
import {
  createEventRegistry,
  type EventLog,
  migratePostgresEventLog,
  openEventLog,
  type RecordedEvent,
} from '@agent-trust/event-log';
import { type KeyStore, openKeyStore, preparePersonalData, wrappingKeyOf } from '@agent-trust/personal-data';
import { connectRpc, type Received, type Rpc, RpcRefusedError, type Sent } from '@agent-trust/nats-rpc';
import { createTestBus, createTestDatabase } from '@agent-trust/test-kit';
import { createKnownStreams } from '../known-streams.ts';
import { openContact } from '../personal-data.ts';
import { toRefusal } from '../refusals.ts';
import { readState } from '../run-command.ts';
import type { SeedTaxonomy } from '../seed-taxonomy.ts';
import { serveCommands } from '../serve-commands.ts';
import { agentStreams } from '../stream-kinds.ts';
import { type ProjectionStandIn, serveProjection } from './projection-stand-in.ts';

const registry = createEventRegistry(eventDefinitions);

/** A registry-write with its own log and bus, and tools for a test. */
export type TestRegistry = {
  log: EventLog;
  contactKeys: KeyStore;
  /** Sends a command like the gateway. */
  ask: <Method extends UnaryMethod>(
    method: Method,
    input: Sent<Method['input']>,
  ) => Promise<Received<Method['output']>>;
  /** The outcome as one word: `ok`, or the code of the refusal. Any other error rejects. */
  outcomeOf: (answer: Promise<unknown>) => Promise<string>;
  projection: ProjectionStandIn;
  /** Writes events like another service. */
  write: (stream: string, ...events: RegistryEvent[]) => Promise<void>;
  eventsOf: (stream: string) => Promise<RegistryEvent[]>;
  recordedIn: (stream: string) => Promise<RecordedEvent[]>;
  /** An agent's contact, opened. */
  contactOf: (agentId: string) => Promise<AgentContact | null>;
  /** Moves the clock of the commands. */
  skipSeconds: (seconds: number) => void;
  stop: () => Promise<void>;
};

export type TestRegistryOptions = {
  /** Instances of registry-write that share the work. */
  instances?: number;
  /** Wraps the log, so that a test can intervene between a command and the log. */
  wrapLog?: (log: EventLog) => EventLog;
  /** The same for the key store. */
  wrapKeys?: (keys: KeyStore) => KeyStore;
  /** What is known of the seed taxonomy without asking; nothing by default. */
  seed?: SeedTaxonomy;
};

/** Starts it in this process: the service's own handlers, served over a real NATS, on a real event log. */
export async function startRegistryWrite(options: TestRegistryOptions = {}): Promise<TestRegistry> {
  const database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  await preparePersonalData(database.url);
  const natsUrl = createTestBus().url;
  const log = await openEventLog(database.url, { applicationName: 'registry-write-test' });
  const contactKeys = openKeyStore(database.url, wrappingKeyOf('wraps the keys of the tests of registry-write'));
  const clock = { skippedMs: 0 };
  const peers: Rpc[] = [];
  const connect = async (service: ServiceName): Promise<Rpc> => {
    const rpc = await connectRpc({ natsUrl, service, instanceId: randomUUID(), toRefusal });
    peers.push(rpc);
    return rpc;
  };

  const projection = await serveProjection(await connect('trust-projection'), log);
  for (let instance = 0; instance < (options.instances ?? 2); instance += 1) {
    const rpc = await connect('registry-write');
    await serveCommands(rpc, {
      log: options.wrapLog?.(log) ?? log,
      rpc,
      known: createKnownStreams(),
      seed: options.seed ?? { resolve: () => null },
      contactKeys: options.wrapKeys?.(contactKeys) ?? contactKeys,
      now: () => new Date(Date.now() + clock.skippedMs),
      newId: randomUUID,
      claimTtlSeconds: 1800,
    });
  }
  const gateway = await connect('gateway');
  const recordedIn = (stream: string): Promise<RecordedEvent[]> => log.readStream(stream);

  return {
    log,
    contactKeys,
    ask: (method, input) => gateway.request(method, input, { timeoutMs: 20_000 }),
    outcomeOf: (answer) =>
      answer.then(
        () => 'ok',
        (error: unknown) => {
          if (error instanceof RpcRefusedError) return error.code;
          throw error;
        },
      ),
    projection,
    write: async (stream, ...events) => {
      const encoded = events.map((event) => {
        const { type, data, schemaVersion } = registry.encode(event);
        return { eventId: randomUUID(), type, data, metadata: { schemaVersion } };
      });
      await log.append(stream, encoded, { expectedRevision: 'any' });
    },
    recordedIn,
    eventsOf: async (stream) => (await recordedIn(stream)).map((event) => registry.decodeKnown(event)),
    contactOf: async (agentId) => {
      const state = await readState(log, agentStreams, agentStream(agentId));
      if (state.kind === 'unregistered') return null;
      const { contactInfo, contactEmail } = state.contact;
      return {
        contactInfo: await openContact(contactKeys, 'contactInfo', contactInfo),
        contactEmail: await openContact(contactKeys, 'contactEmail', contactEmail),
      };
    },
    skipSeconds: (seconds) => {
      clock.skippedMs += seconds * 1000;
    },
    stop: async () => {
      await Promise.all(peers.map((rpc) => rpc.close()));
      await contactKeys.close();
      await log.close();
      await database.drop();
    },
  };
}
