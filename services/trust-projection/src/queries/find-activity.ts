import { type Activity, limits } from '@agent-trust/contracts';
import sql from 'sql-template-tag';
import type { ReadModelDatabase, Statement } from '../shared/database.ts';

const dayMs = 86_400_000;

type Row = Pick<Activity, 'newest' | 'rising' | 'falling' | 'days'> & { moversSince: string };

/**
 * What happened in production since the beginning of a UTC day. Of the changes of scores since then it looks at no more than the newest so many, by the
 * index over their positions, and of agents at those that moved. The universe is no value, so that the index over the newest agents is used.
 */
export function activityStatement(since: Date): Statement {
  const from = since.toISOString();
  return sql`
    WITH changes AS MATERIALIZED (
      SELECT agent_id, position, at, trust_score, previous_score FROM trust_history
      WHERE position > coalesce((
        SELECT position FROM log_clock WHERE at < ${from}::timestamptz ORDER BY at DESC, position DESC LIMIT 1
      ), -1)
      ORDER BY position DESC LIMIT ${limits.scoreChangesConsideredMax}
    ), moved AS MATERIALIZED (
      SELECT agent_id, (array_agg(coalesce(previous_score, trust_score) ORDER BY position))[1] AS previous_score,
        (array_agg(trust_score ORDER BY position DESC))[1] AS trust_score,
        count(*) FILTER (WHERE previous_score IS NOT NULL) AS change_count
      FROM changes WHERE at >= ${from}::timestamptz GROUP BY agent_id
    ), movers AS MATERIALIZED (
      SELECT m.*, a.org_name, row_number() OVER (ORDER BY m.trust_score - m.previous_score DESC, m.agent_id) AS by_rise,
        row_number() OVER (ORDER BY m.trust_score - m.previous_score, m.agent_id) AS by_fall
      FROM moved m JOIN agent a ON a.agent_id = m.agent_id AND a.universe = 'production' AND a.routable
      WHERE m.trust_score <> m.previous_score
    ), shown AS (
      SELECT trust_score - previous_score AS change, by_rise, by_fall, json_build_object('agentId', agent_id, 'orgName', org_name,
        'previousScore', previous_score, 'trustScore', trust_score, 'changeCount', change_count) AS mover
      FROM movers WHERE by_rise <= ${limits.moversShownMax} OR by_fall <= ${limits.moversShownMax}
    ), newest AS (
      SELECT a.agent_id, a.org_name, a.registered_at, s.trust_score
      FROM agent a JOIN agent_standing s ON s.agent_id = a.agent_id
      WHERE a.universe = 'production' AND a.routable
      ORDER BY a.registered_at DESC, a.agent_id LIMIT ${limits.newestAgentsShownMax}
    )
    SELECT
      (SELECT json_agg(mover ORDER BY by_rise) FROM shown WHERE change > 0 AND by_rise <= ${limits.moversShownMax}) AS rising,
      (SELECT json_agg(mover ORDER BY by_fall) FROM shown WHERE change < 0 AND by_fall <= ${limits.moversShownMax}) AS falling,
      (SELECT json_agg(json_build_object('agentId', agent_id, 'orgName', org_name, 'trustScore', trust_score,
        'registeredAt', registered_at) ORDER BY registered_at DESC, agent_id) FROM newest) AS newest,
      (SELECT CASE WHEN count(*) < ${limits.scoreChangesConsideredMax} THEN NULL ELSE min(at) END FROM changes) AS movers_since,
      (SELECT json_agg(json_build_object('day', day, 'registrations', registrations, 'calls', calls, 'reviews', reviews) ORDER BY day)
        FROM daily_activity WHERE day >= ${from.slice(0, 10)}) AS days`;
}

/** @param days UTC days, today included */
export async function findActivity(database: ReadModelDatabase, days: number, now: Date): Promise<Activity> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const since = new Date(today - (days - 1) * dayMs);
  const [row] = await database.query<{ [Name in keyof Row]: Row[Name] | null }>(activityStatement(since));
  const counted = new Map((row?.days ?? []).map((day) => [day.day, day]));
  const cutAt = new Date(row?.moversSince ?? since);
  return {
    at: now.toISOString(),
    since: since.toISOString(),
    newest: (row?.newest ?? []).map((agent) => ({
      ...agent,
      registeredAt: new Date(agent.registeredAt).toISOString(),
    })),
    moversSince: (cutAt < since ? since : cutAt).toISOString(),
    rising: row?.rising ?? [],
    falling: row?.falling ?? [],
    days: Array.from({ length: days }, (_, index) => {
      const day = new Date(since.getTime() + index * dayMs).toISOString().slice(0, 10);
      return counted.get(day) ?? { day, registrations: 0, calls: 0, reviews: 0 };
    }),
  };
}
