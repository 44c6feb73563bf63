// Bug: an event about an agent that very many organisations have raised loads their rows one after the other, and computes all that it changes anew each
// time; from some number on it asks for rows too often and stops the projection for good. Method: more organisations than there may be rounds of loading
// praise one agent; then a bad review comes, and is voided, each before a writer that has nothing in memory.
import { migratePostgresEventLog, openEventLog, type EventLog } from '@agent-trust/event-log';
import { createSchema, openWriterSession, projectionLimits, startRunner } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase, waitFor } from '@agent-trust/test-kit';
import { policyV2, type TrustPolicyV2 } from '@agent-trust/trust-policy';
import sql from 'sql-template-tag';
import { afterEach, expect, it } from 'vitest';
import { openReadModelDatabase, readModelSchema } from '../../../../shared/database.ts';
import { appendActivation } from '../../../../testing/append-activation.ts';
import { agentEvent } from '../../../../testing/made-changes.ts';
import {
  agentRegistered,
  appendHistory,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  type MadeEvent,
} from '../../../../testing/made-history.ts';
import { PolicyOracle } from '../../../../testing/organisations-history.ts';
import { readActivatedPolicies } from '../../../activated-policies.ts';
import { decodeRegistryEvent } from '../../registry-event.ts';
import { registryReadModel } from '../../registry-read-model.ts';

const organisations = Array.from({ length: projectionLimits.lastRoundsMax + 1 }, (_, index) => `org${index}`);
const agentId = 'well-known';
const at = (hour: number): string => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();

/** Everybody who has raised the agent, however little, answers for it. */
const allAnswer: TrustPolicyV2 = {
  ...policyV2,
  name: 'all-answer',
  constants: { ...policyV2.constants, answerShareMin: 0 },
};

let database: TestDatabase;
let log: EventLog;
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const review = (callerAgentId: string, orgId: string | null, hour: number, success: boolean): MadeEvent[] => {
  const parties = { transactionId: `${callerAgentId}-${hour}`, callerAgentId, receiverAgentId: agentId };
  const said = { success, score: success ? 10 : 1, trustScore: 80, orgId, roots: { [orgId ?? 'none']: 1 } };
  return [
    exchangeStarted(parties, at(hour)),
    exchangeCompleted(parties, at(hour)),
    exchangeReviewed(parties, at(hour), said),
  ];
};

/** Lets a writer that has nothing in memory follow the log to its end. */
const follow = async (): Promise<void> => {
  const runner = startRunner({
    connection: { connectionString: database.url },
    schema: readModelSchema,
    log,
    readModel: await registryReadModel({ policies: () => readActivatedPolicies(log) }),
  });
  const head = await log.headPosition();
  await waitFor(
    () => {
      const { poison, error, position } = runner.status();
      if (poison !== null) throw new Error(JSON.stringify(error));
      return position === head;
    },
    { timeoutMs: 60_000, description: 'the end of the log' },
  );
  await runner.stop();
};

/** The agent's score, and how many standing records the newest event has changed. */
const shown = async (policy: TrustPolicyV2): Promise<{ score: number; standings: number }> => {
  const head = await log.headPosition();
  const reader = openReadModelDatabase(database.url);
  try {
    const [row] = await reader.query<{ score: number; standings: number }>(sql`
      SELECT trust_score AS score, (SELECT count(*)::int FROM organisation_evidence WHERE trust_policy = ${policy.name}
        AND kind = 'standing' AND scored_position = ${head}::bigint) AS standings
      FROM trust_evidence WHERE agent_id = ${agentId}`);
    if (row === undefined) throw new Error(`${agentId} has no score`);
    return row;
  } finally {
    await reader.close();
  }
};

/** What the policy's text makes of the log. */
const direct = async (policy: TrustPolicyV2): Promise<number> => {
  const oracle = new PolicyOracle(policy);
  for (const event of await log.readAll({ after: null, countMax: 100_000 })) oracle.apply(decodeRegistryEvent(event));
  return oracle.verdict(agentId).score;
};

it.each([
  { policy: policyV2, answering: 0 },
  { policy: allAnswer, answering: organisations.length },
])(
  'a bad review and its end need few rounds of loading, however many organisations have raised the agent ($policy.name)',
  async ({ policy, answering }) => {
    database = await createTestDatabase();
    await migratePostgresEventLog(database.url);
    log = await openEventLog(database.url);
    opened.push(
      () => log.close(),
      () => database.drop(),
    );
    await appendActivation(log, policy, 0);
    const agents = organisations.map((orgId) =>
      agentRegistered({ agentId: `of-${orgId}`, orgId, verified: true }, at(0)),
    );
    await appendHistory(log, [
      agentRegistered({ agentId }, at(0)),
      agentRegistered({ agentId: 'disappointed', orgId: 'elsewhere', verified: true }, at(0)),
      ...agents,
    ]);
    await appendHistory(
      log,
      organisations.flatMap((orgId) => review(`of-${orgId}`, orgId, 1, true)),
    );
    const session = await openWriterSession({ connectionString: database.url }, readModelSchema);
    const { schema } = await registryReadModel();
    await createSchema(session, readModelSchema, schema);
    await session.end();
    await follow();

    await appendHistory(log, review('disappointed', 'elsewhere', 2, false));
    await follow();
    expect(await shown(policy)).toEqual({ score: await direct(policy), standings: answering });

    const transactionIds = ['disappointed-2'];
    const voided = { agentId, transactionIds, reason: 'made up', voidedAt: at(3) };
    await appendHistory(log, [agentEvent('ReviewsVoided', voided)]);
    await follow();
    expect(await shown(policy)).toEqual({ score: await direct(policy), standings: answering });
  },
  120_000,
);
