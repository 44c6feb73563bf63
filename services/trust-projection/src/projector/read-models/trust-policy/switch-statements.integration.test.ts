import { createSchema, openWriterSession } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { policyV1, type TrustPolicy } from '@agent-trust/trust-policy';
import type { Client, QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registryReadModel } from '../registry-read-model.ts';
import { readModelSchema } from '../../../shared/database.ts';
import { switchStatements } from './switch-statements.ts';

/*
 * Bug: a switch between two policies that are both former ones by now, as in every replay of a log with two switches, compares each agent with every
 * other one, and no longer ends if there are many.
 * Method: the plan of the statement in a session like a replay's: joins must use an index.
 */
const policyOf = (name: string): TrustPolicy => ({ ...policyV1, name });
const plan = [policyV1, policyOf('strict'), policyOf('stricter'), policyOf('mild')];
const agents = 500;

let database: TestDatabase;
let session: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  session = await openWriterSession({ connectionString: database.url }, readModelSchema);
  await createSchema(session, readModelSchema, (await registryReadModel()).schema);
  for (const [index, { name }] of plan.entries()) {
    const [table, account] = name === 'mild' ? ['trust_evidence', ''] : ['former_trust_evidence', 'account, '];
    await session.query(
      `INSERT INTO ${table} (${account} agent_id, trust_policy, trust_score, unrounded, scored_position, window_position, step)
       SELECT ${account === '' ? '' : `'${name} ' || agent, `} agent, '${name}', ${40 + index}, ${40 + index}, n, n, 0
       FROM (SELECT n, 'agent ' || n AS agent FROM generate_series(1, ${agents}) n) made`,
    );
  }
});
afterAll(async () => {
  await session.end();
  await database.drop();
});

const activation = (ordinal: number): readonly QueryConfig[] =>
  switchStatements(plan).statements({
    type: 'TrustPolicyActivated',
    eventId: `activation-${ordinal}`,
    stream: 'trust-policy',
    revision: BigInt(ordinal - 1),
    position: BigInt(1_000 + ordinal),
    recordedAt: new Date(0),
    actor: null,
    data: {
      policy: plan[ordinal] ?? policyV1,
      previousPolicy: plan[ordinal - 1]?.name ?? '',
      activatedAt: '2026-09-01T00:00:00.000Z',
    },
  });

describe("a switch's update of all agents", () => {
  it.each([1, 2, 3])('looks each agent up by an index, at the switch with ordinal %i', async (ordinal) => {
    const [kept, reported] = activation(ordinal);
    if (kept === undefined || reported === undefined) throw new Error('two statements were expected');
    const { rows } = await session.query<{ 'QUERY PLAN': string }>({ ...kept, text: `EXPLAIN ${kept.text}` });
    const explained = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(explained).toContain('Index Cond');
    expect(explained).not.toContain('Join Filter');
    await session.query(kept);
    await session.query(reported);
    const found = await session.query(
      `SELECT count(*)::int AS count, min(previous_score) AS before, max(trust_score) AS after, min(trust_policy) AS policy
       FROM trust_history WHERE position = ${1_000 + ordinal} AND cause_event_id = 'activation-${ordinal}'`,
    );
    expect(found.rows).toEqual([
      { count: agents, before: 39 + ordinal, after: 40 + ordinal, policy: plan[ordinal]?.name },
    ]);
  });
});
