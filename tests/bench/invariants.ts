import type { Stack } from '@agent-trust/dev-stack';
import pg from 'pg';
import { httpTo } from '../support/registry.ts';

/**
 * Checks what must hold after any load. Returns the broken invariants in words; empty is good.
 *
 * @param calls calls that the registry answered with 200, calls that reached the agent, and the agent called.
 */
export async function brokenInvariants(
  stack: Stack,
  databaseUrl: string,
  expected: { registered: number; calls: { answered: number; carried: number; receiverAgentId: string } },
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const count = async (sql: string, values: unknown[] = []): Promise<number> =>
    Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${sql}`, values)).rows[0]?.n);
  const broken: string[] = [];
  const mustBe = (what: string, actual: number, wanted: number): void => {
    if (actual !== wanted) broken.push(`${what}: ${actual}, not ${wanted}`);
  };
  try {
    const { receiverAgentId, answered, carried } = expected.calls;
    const ofReceiver = `event_log.events WHERE data->>'receiverAgentId' = $1 AND type = $2`;
    const started = await count(ofReceiver, [receiverAgentId, 'ExchangeStarted']);
    const completed = await count(ofReceiver, [receiverAgentId, 'ExchangeCompleted']);
    const failed = await count(ofReceiver, [receiverAgentId, 'ExchangeFailed']);
    mustBe('exchanges with an end', completed + failed, started);
    if (started < carried) broken.push(`calls that reached the agent without a record: ${carried - started}`);
    if (completed < answered) broken.push(`acknowledged calls without a completed exchange: ${answered - completed}`);
    const profile = await httpTo(stack.url).get(`/agent/${receiverAgentId}`);
    mustBe('transaction_count of the called agent', Number(profile.body['transaction_count']), completed);
    const registrations = await count(
      `event_log.events WHERE type = 'AgentRegistered' AND data->>'agentId' LIKE 'bench-%'`,
    );
    // A request that was cut off at the end of the run may have taken effect although its answer was never read.
    if (registrations < expected.registered)
      broken.push(`acknowledged registrations lost: ${expected.registered - registrations}`);
    mustBe(
      'streams whose revisions have a gap',
      await count(`(SELECT 1 FROM event_log.events GROUP BY stream HAVING count(*) <> max(revision) + 1) gaps`),
      0,
    );
    return broken;
  } finally {
    await client.end();
  }
}
