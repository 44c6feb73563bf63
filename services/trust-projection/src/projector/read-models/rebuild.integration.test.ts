import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createSchema, openWriterSession, prepareReadModel, replayReadModel } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadModelDatabase, type ReadModelDatabase, readModelSchema } from '../../shared/database.ts';
import { freshMatchIndex } from '../../queries/match/fresh-match-index.ts';
import type { MatchIndex, MatchQuestion } from '../../queries/match/match-index.ts';
import { appendHistory, makeHistory } from '../../testing/made-history.ts';
import { type ChangeCursor, findChangedAgents, noChanges } from './agent-change/queries.ts';
import { registryReadModel } from './registry-read-model.ts';

/*
 * Bug: read models of an earlier version are served, or lost, when a newer one starts; or an instance that reads agents in pages misses some
 * because the build changes meanwhile.
 * Method: read models with another schema than the code's, and a replay between two reads.
 */
let database: TestDatabase;
let log: EventLog;
let client: pg.Client;
let readModels: ReadModelDatabase;

const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await client.query<Row>(text, values)).rows;
const allChanged = async (countMax: number): Promise<string[]> => {
  const found: string[] = [];
  for (let cursor: ChangeCursor = noChanges; ; ) {
    const { entries, isCut } = await findChangedAgents(readModels, cursor, countMax);
    expect(entries.length).toBeLessThanOrEqual(countMax);
    found.push(...entries.map(({ agentId }) => agentId));
    const last = entries.at(-1);
    if (!isCut || last === undefined) return found;
    cursor = { position: last.changedPosition, agentId: last.agentId };
  }
};

const everybody: MatchQuestion = {
  universe: 'production',
  capabilities: null,
  filters: { settlementRail: null, orgName: null, messageProtocol: null, live: false },
};
const rankedBy = (index: MatchIndex): string[] =>
  index
    .rank(everybody, { limit: 1_000, offset: 0 })
    .map(({ agentId }) => agentId)
    .sort();
const rankable = async (): Promise<string[]> => {
  const found = await rows<{ id: string }>(
    `SELECT agent_id AS id FROM ${readModelSchema}.agent WHERE universe = 'production' AND routable`,
  );
  expect(found.length).toBeGreaterThan(60);
  return found.map(({ id }) => id).sort();
};

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  await appendHistory(log, makeHistory({ agents: 80, exchanges: 500, seed: 5 }));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  readModels = openReadModelDatabase(database.url);
  const connection = { connectionString: database.url };
  const readModel = await registryReadModel();
  const session = await openWriterSession(connection, readModelSchema);
  const earlier = { sql: 'CREATE TABLE agent (agent_id text PRIMARY KEY)', fingerprint: 'an earlier version' };
  await createSchema(session, readModelSchema, earlier);
  await session.end();
  await prepareReadModel({ connection, schema: readModelSchema, log, readModel });
});
afterAll(async () => {
  await readModels.close();
  await client.end();
  await log.close();
  await database.drop();
});

describe('read models of an earlier version', () => {
  it('are replaced by current ones, from which all agents can be read in pages', async () => {
    const agents = (await rows<{ id: string }>(`SELECT agent_id AS id FROM ${readModelSchema}.agent`)).map(
      ({ id }) => id,
    );
    expect(agents.length).toBeGreaterThan(70);
    expect((await allChanged(7)).sort()).toEqual(agents.sort());
    expect((await allChanged(agents.length)).sort()).toEqual(agents);
    expect(rankedBy(await freshMatchIndex(readModels, { entriesPerReadMax: 7 }).fresh())).toEqual(await rankable());
  });

  // Bug: the replay places agents behind the pages that the index has read, and they are missing until the next rebuild.
  it('are equal to those of a replay, and a replay during the read hides no agent', async () => {
    let replayed: unknown = null;
    const replayOnce = async (): Promise<void> => {
      replayed ??= await replayReadModel({
        connection: { connectionString: database.url },
        schema: readModelSchema,
        log,
        readModel: await registryReadModel(),
      });
    };
    // The first page comes from the build that a switch retires immediately afterwards.
    const interrupted: ReadModelDatabase = {
      ...readModels,
      query: async (statement) => {
        const answered = await readModels.query<never>(statement);
        await replayOnce();
        return answered;
      },
    };
    const index = await freshMatchIndex(interrupted, { entriesPerReadMax: 7 }).fresh();
    expect(replayed).toMatchObject({ switched: true, comparison: { rowsDiffering: 0, differences: [] } });
    expect(rankedBy(index)).toEqual(await rankable());
  });
});
