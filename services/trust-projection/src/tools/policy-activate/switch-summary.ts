import type { ConnectionSettings } from '@agent-trust/projections';
import pg from 'pg';
import { cautionScoreMin, trustedScoreMin } from '@agent-trust/domain';
import { readModelSchema } from '../../shared/database.ts';

/** What the latest switch has done to the scores. */
export type SwitchSummary = {
  position: string;
  agents: number;
  moved: number;
  /** Agents at or above each threshold, by both policies. */
  trusted: { before: number; after: number };
  caution: { before: number; after: number };
};

/** Counts what the read models keep of the latest switch; null when there was none. */
export async function readSwitchSummary(connection: ConnectionSettings): Promise<SwitchSummary | null> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const atLeast = (score: string, threshold: number): string =>
      `(count(*) FILTER (WHERE ${score} >= ${threshold}))::int`;
    const sides = (threshold: number): string =>
      `jsonb_build_object('before', ${atLeast('previous_score', threshold)}, 'after', ${atLeast('trust_score', threshold)})`;
    const { rows } = await client.query<SwitchSummary>(
      `SELECT a.position::text AS position, count(s.agent_id)::int AS agents,
         (count(*) FILTER (WHERE s.trust_score <> s.previous_score))::int AS moved,
         ${sides(trustedScoreMin)} AS trusted, ${sides(cautionScoreMin)} AS caution
       FROM (SELECT position FROM ${readModelSchema}.trust_policy_activation ORDER BY ordinal DESC LIMIT 1) a
       LEFT JOIN ${readModelSchema}.trust_policy_switch s USING (position) GROUP BY a.position`,
    );
    return rows[0] ?? null;
  } finally {
    await client.end();
  }
}

const whole = (value: number): string => value.toLocaleString('en');

/** The summary for people. */
export function summaryLines(policy: string, previous: string, summary: SwitchSummary): string[] {
  return [
    `Trust policy ${policy} is in force from position ${summary.position} on, after ${previous}.`,
    `${whole(summary.moved)} of ${whole(summary.agents)} scores are others. At ${trustedScoreMin} or above: ${whole(summary.trusted.before)} agents before, ${whole(summary.trusted.after)} now; at ${cautionScoreMin} or above: ${whole(summary.caution.before)} before, ${whole(summary.caution.after)} now.`,
  ];
}
