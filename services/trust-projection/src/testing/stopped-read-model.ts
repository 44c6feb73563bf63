import type { EventLog } from '@agent-trust/event-log';
import { createSchema, openWriterSession, replayReadModel, type ReplayReport } from '@agent-trust/projections';
import { createTestDatabase } from '@agent-trust/test-kit';
import { openReadModelDatabase, type ReadModelDatabase, readModelSchema } from '../shared/database.ts';
import { readActivatedPolicies } from '../projector/activated-policies.ts';
import { registryReadModel } from '../projector/read-models/registry-read-model.ts';

/** Read models of a log up to some position, without any later event. */
export type StoppedReadModel = {
  url: string;
  database: ReadModelDatabase;
  /** Continues to build them up to a later position; null is the end of the log. */
  advanceTo(position: bigint | null): Promise<void>;
  close(): Promise<void>;
};

/** A log that ends at a position. */
const endingAt = (log: EventLog, last: bigint | null): EventLog => {
  const readAll: EventLog['readAll'] = async (options) =>
    (await log.readAll(options)).filter(({ position }) => last === null || position <= last);
  return {
    ...log,
    readAll,
    readPacked: async (options) => {
      const events = await readAll(options);
      return { count: events.length, lastPosition: events.at(-1)?.position ?? null, unpack: () => events };
    },
    headPosition: async () => last ?? (await log.headPosition()),
  };
};

/**
 * A separate database with read models that are built by replays, each of which reads the log from its first event and stops at the given
 * position, under the policies that the log has by then.
 */
export async function createStoppedReadModel(log: EventLog): Promise<StoppedReadModel> {
  const { url, drop } = await createTestDatabase();
  const connection = { connectionString: url };
  const readModel = await registryReadModel({ policies: () => readActivatedPolicies(log), otherPolicies: true });
  const session = await openWriterSession(connection, readModelSchema);
  await createSchema(session, readModelSchema, readModel.schema);
  await session.end();
  const database = openReadModelDatabase(url);
  return {
    url,
    database,
    advanceTo: async (position) => {
      const report: ReplayReport = await replayReadModel({
        connection,
        schema: readModelSchema,
        log: endingAt(log, position),
        readModel,
        dropLockTimeoutMs: 50,
      });
      if (!report.switched) throw new Error('the replay did not switch');
    },
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
