// Bug: a change of an organisation's record holds the projection, and all who wait for it, for as long as the organisation has agents, or tells the edge
// of each of them. Method: an organisation with 10,000 agents whose record falls; the statements of the batch, what the gate hears, and the rows afterwards.
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import {
  BatchWriter,
  type ComingBatch,
  createSchema,
  openWriterSession,
  projectionLimits,
  readCheckpoint,
  replayReadModel,
} from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { policyV2 } from '@agent-trust/trust-policy';
import type { Client, QueryConfig } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { changedBy } from '../replicas/changed-keys.ts';
import { readModelSchema } from '../shared/database.ts';
import { appendActivation } from '../testing/append-activation.ts';
import { agentRegistered, appendHistory, exchangeReviewed, organisationCreated } from '../testing/made-history.ts';
import { readActivatedPolicies } from './activated-policies.ts';
import type { ProjectedRegistryEvent } from './read-models/registry-event.ts';
import { registryReadModel } from './read-models/registry-read-model.ts';

const members = 10_000;
const at = (day: number): string => new Date(Date.UTC(2026, 2, day)).toISOString();
/** A fan-out costs round trips by the rows that a statement may have, not by agents; one more for the rows of the review itself. */
const statementsOfKindMax = Math.ceil(members / projectionLimits.rowsPerStatementMax) + 1;

let database: TestDatabase;
let log: EventLog;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  const organisations = ['zeta', 'alpha', 'newco', 'beta'];
  await appendHistory(
    log,
    organisations.map((orgId) => organisationCreated(orgId, at(1))),
  );
  await appendHistory(log, [
    ...['alpha', 'newco', 'beta'].map((orgId) =>
      agentRegistered({ agentId: `${orgId}-1`, orgId, verified: true }, at(1)),
    ),
    ...Array.from({ length: members }, (_, index) =>
      agentRegistered({ agentId: `zeta-${index}`, orgId: 'zeta', verified: true }, at(1)),
    ),
  ]);
  const anchored = { ...policyV2, name: 'anchored', constants: { ...policyV2.constants, anchors: ['alpha', 'beta'] } };
  await appendActivation(log, anchored, 0);
  const before = await openWriterSession({ connectionString: database.url }, readModelSchema);
  await createSchema(before, readModelSchema, (await registryReadModel()).schema);
  await before.end();
  const policies = () => readActivatedPolicies(log);
  const report = await replayReadModel({
    connection: { connectionString: database.url },
    schema: readModelSchema,
    log,
    readModel: await registryReadModel({ policies, otherPolicies: true }),
  });
  if (!report.switched) throw new Error('the read models were not switched');
  client = await openWriterSession({ connectionString: database.url }, readModelSchema);
}, 180_000);
afterAll(async () => {
  await client.end();
  await log.close();
  await database.drop();
});

it('a changed record of 10,000 agents is one batch, and one change on the feed of the edge', {
  timeout: 120_000,
}, async () => {
  const announced: ComingBatch<ProjectedRegistryEvent>[] = [];
  const sent: Record<string, number>[] = [];
  const readModel = await registryReadModel({ policies: () => readActivatedPolicies(log) });
  const checkpoint = await readCheckpoint(client, readModelSchema);
  const writer = new BatchWriter<ProjectedRegistryEvent>({
    client,
    schema: readModelSchema,
    readModel: (await readModel.forSchema?.(client, checkpoint)) ?? readModel,
    rowsPerTableMax: 50_000,
    checkpoint,
    gate: {
      yielding: new AbortController().signal,
      announce: (batch) => void announced.push(batch),
      mayCommit: () => Promise.resolve(),
      hasCommitted: () => undefined,
      end: () => Promise.resolve(),
    },
  });
  // The worked example of docs/trust-policy.md, where alpha and beta are established: 75, 65, 55.
  const reviews = [
    ['alpha', 80, 1],
    ['newco', 75, 2],
    ['beta', 78, 1],
  ] as const;
  const records: unknown[] = [];
  for (const [index, [orgId, trustScore, score]] of reviews.entries()) {
    const parties = {
      transactionId: `t-${index}`,
      callerAgentId: `${orgId}-1`,
      receiverAgentId: `zeta-${index}`,
    };
    const review = { success: false, score, trustScore, orgId, roots: { [orgId]: 1 } };
    await appendHistory(log, [exchangeReviewed(parties, at(index + 1), review)]);
    const events = await log.readAll({ after: writer.checkpoint.position, countMax: 10 });
    const queries = vi.spyOn(client, 'query');
    await writer.write(events);
    sent.push(countsOf(queries.mock.calls.map(([statement]) => kindOf(statement))));
    queries.mockRestore();
    const { rows } = await client.query(
      `SELECT min(trust_score)::int AS least, count(*) FILTER (WHERE trust_score = (SELECT trust_score FROM agent_standing WHERE agent_id = 'zeta-9999'))::int AS alike
       FROM agent_standing WHERE agent_id LIKE 'zeta-%'`,
    );
    const [newcomer] = (await client.query(`SELECT trust_score FROM agent_standing WHERE agent_id = 'zeta-9999'`)).rows;
    records.push([newcomer?.trust_score, rows[0]?.alike]);
  }
  expect(records).toEqual([
    [75, members - 1],
    [65, members - 2],
    [55, members - 3],
  ]);
  expect(announced.map((batch) => changedBy(batch).keys.filter((key) => key.startsWith('record:')))).toEqual([
    [],
    ['record:zeta'],
    ['record:zeta'],
  ]);
  for (const batch of announced) expect(changedBy(batch).keys.length).toBeLessThan(8);
  const { rows: history } = await client.query(
    `SELECT cause_type, count(*)::int AS count FROM trust_history WHERE previous_score IS NOT NULL GROUP BY cause_type ORDER BY 1`,
  );
  expect(history).toEqual([
    { cause_type: 'ExchangeReviewed', count: 3 },
    { cause_type: 'record', count: 2 * (members - 1) },
  ]);
  const most = sent.map((counts) => Math.max(...Object.values(counts)));
  expect({ sent, most: most.map((count) => count <= statementsOfKindMax) }).toEqual({ sent, most: [true, true, true] });
  // The review before them changes no record, and is written by one statement, so without a transaction around it.
  expect(sent.map((counts) => counts['BEGIN'] ?? 0)).toEqual([0, 1, 1]);
});

/** The name of a prepared statement, or the text of another. */
const kindOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : String((statement as QueryConfig).name);

const countsOf = (kinds: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};
