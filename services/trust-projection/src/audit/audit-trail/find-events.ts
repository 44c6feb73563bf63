import { reviewsVoided } from '@agent-trust/contracts';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { queryLimits } from '../../shared/limits.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';

/** Which events, and how many of them at a time; null filters nothing out. */
export type AuditQuestion = {
  agentId: string | null;
  orgId: string | null;
  /** The id of an operator. */
  operator: string | null;
  /** Only events by a secret of the installation. */
  breakGlass: boolean;
  /** A kind of credentials, or the id of a named key. */
  credential: string | null;
  types: readonly string[] | null;
  correlationId: string | null;
  /**
   * Where the events are that are searched, asked once it is clear up to which position the search goes: what was read before would lack an event
   * that the search then claims to have seen.
   */
  among: ((upTo: bigint) => Promise<readonly bigint[]>) | null;
  /** Excludes exchanges and settlements of other universes. */
  universe: string | null;
  from: Date | null;
  to: Date | null;
  after: bigint | null;
  before: bigint | null;
  order: 'asc' | 'desc';
  limit: number;
};

export type FoundEvent = { position: bigint; leafIndex: bigint };

/** See `answeredPage` in contracts. */
export type FoundEvents = { events: FoundEvent[]; upTo: bigint | null; seenTo: bigint | null; isCut: boolean };

/** The index that a search goes through, by what names the fewest events. Other conditions are checked on each event that it finds. */
type Index = { table: Sql; named: Sql };

const auditEvent = raw('audit_event');
const agentNamed = (agentId: string): Index => ({ table: raw('audit_agent'), named: sql`agent_id = ${agentId}` });
const organisationNamed = (orgId: string): Index => ({
  table: raw('audit_organisation'),
  named: sql`org_id = ${orgId}`,
});

const credentialNamed = (credential: string): Index => ({
  table: raw('audit_credential'),
  named: sql`credential = ${credential}`,
});

const inAuditEvent = (named: Sql): Index => ({ table: auditEvent, named });
const byOperator = (operator: string): Index => inAuditEvent(sql`actor_kind = 'operator' AND actor_id = ${operator}`);
const byBreakGlass = inAuditEvent(sql`actor_kind IN ('admin', 'operator') AND actor_id IS NULL`);

/** The filters that have an index, in the order of how few events each names. */
const indexesFor = (
  { correlationId, agentId, orgId, operator, breakGlass, credential }: AuditQuestion,
  among: readonly bigint[] | null,
): Index[] =>
  [
    among && inAuditEvent(sql`position = ANY (${among}::bigint[])`),
    correlationId === null ? null : inAuditEvent(sql`correlation_id = ${correlationId}`),
    agentId === null ? null : agentNamed(agentId),
    orgId === null ? null : organisationNamed(orgId),
    operator === null ? null : byOperator(operator),
    breakGlass ? byBreakGlass : null,
    credential === null ? null : credentialNamed(credential),
  ].filter((index) => index !== null);

/**
 * Events in the order of positions, or against it. A search costs as much as its answer is long, and reads at most `auditScanMax` events
 * of its index; one that finds little among many is cut there, and continues from `seenTo`.
 */
export async function findAuditEvents(database: ReadModelDatabase, question: AuditQuestion): Promise<FoundEvents> {
  const { types, limit } = question;
  const { upTo, lowest, highest } = await positionBounds(database, question);
  const end = question.order === 'asc' ? highest : lowest;
  if (upTo === null || lowest > highest) return { events: [], upTo, seenTo: upTo === null ? null : end, isCut: false };
  const order = raw(question.order);
  const [index = null, ...others] = indexesFor(question, question.among && (await question.among(upTo)));
  const within = sql`position BETWEEN ${lowest}::bigint AND ${highest}::bigint`;
  const inIndex =
    index && sql`SELECT position FROM ${index.table} WHERE ${index.named} AND ${within} ORDER BY position ${order}`;
  const isTyped = types === null ? empty : sql`AND e.type = ANY (${types}::text[])`;

  let candidates: Sql;
  if (inIndex !== null) candidates = sql`${inIndex} LIMIT ${queryLimits.auditScanMax}::int`;
  else if (types === null) {
    candidates = sql`SELECT position FROM audit_event WHERE ${within} ORDER BY position ${order} LIMIT ${limit + 1}::int`;
  } else {
    candidates = sql`SELECT typed.position FROM unnest(${types}::text[]) AS wanted(type)
      CROSS JOIN LATERAL (SELECT position FROM audit_event a WHERE a.type = wanted.type AND ${within}
        ORDER BY position ${order} LIMIT ${limit + 1}::int) typed
      ORDER BY typed.position ${order} LIMIT ${limit + 1}::int`;
  }

  const found = await database.query<FoundEvent>(sql`
    SELECT e.position, e.leaf_index FROM (${candidates}) c
    CROSS JOIN LATERAL (
      SELECT * FROM audit_event e WHERE e.position = c.position ${index === null ? empty : isTyped} ${furtherConditions(others, question.universe)} OFFSET 0
    ) e
    ORDER BY c.position ${order} LIMIT ${limit + 1}::int`);
  if (found.length > limit) {
    const events = found.slice(0, limit);
    return { events, upTo, seenTo: events.at(-1)?.position ?? end, isCut: true };
  }
  if (inIndex !== null) {
    // Where a search stopped that read as many events as it may.
    const [stopped] = await database.query<{ position: bigint }>(
      sql`${inIndex} OFFSET ${queryLimits.auditScanMax - 1}::int LIMIT 1`,
    );
    if (stopped !== undefined) return { events: found, upTo, seenTo: stopped.position, isCut: true };
  }
  return { events: found, upTo, seenTo: end, isCut: false };
}

/** Whether an event of the log has this position. */
export async function isRecordedPosition(database: ReadModelDatabase, position: bigint): Promise<boolean> {
  const found = await database.query(sql`SELECT 1 AS one FROM audit_event WHERE position = ${position}::bigint`);
  return found.length > 0;
}

/** Where reviews of an agent were voided, the oldest first. Operators do that, so there are few. */
export async function findVoidings(
  database: ReadModelDatabase,
  { agentId, after, upTo }: { agentId: string; after: bigint; upTo: bigint },
): Promise<bigint[]> {
  const found = await database.query<{ position: bigint }>(sql`
    SELECT e.position FROM audit_event e
    WHERE e.type = ${reviewsVoided.type} AND e.position > ${after}::bigint AND e.position <= ${upTo}::bigint
      AND EXISTS (SELECT FROM audit_agent n WHERE n.agent_id = ${agentId} AND n.position = e.position)
    ORDER BY e.position LIMIT ${queryLimits.voidingsOfAgentMax}::int`);
  return found.map(({ position }) => position);
}

/** What the index of a search does not cover. */
const furtherConditions = (others: readonly Index[], universe: string | null): Sql =>
  join(
    [
      universe === null ? empty : sql`AND (e.universe IS NULL OR e.universe = ${universe})`,
      ...others.map(({ table, named }) =>
        table === auditEvent
          ? sql`AND ${named}`
          : sql`AND EXISTS (SELECT FROM ${table} n WHERE n.${named} AND n.position = e.position)`,
      ),
    ],
    ' ',
  );

/**
 * The positions that a search covers, both ends included, none if `lowest` is above `highest`; and how far the log record has come. The log's
 * time never falls, so a range of times is a range of positions.
 */
const positionBounds = async (
  database: ReadModelDatabase,
  { from, to, after, before }: AuditQuestion,
): Promise<{ upTo: bigint | null; lowest: bigint; highest: bigint }> => {
  // One statement, so one moment: an event that comes between two would be missed by one and seen by the other.
  const [row] = await database.query<{
    upTo: bigint | null;
    first: bigint | null;
    last: bigint | null;
    lastBefore: bigint | null;
  }>(sql`
    SELECT p.position AS up_to,
      (SELECT max(position) FROM audit_event WHERE position < ${before}::bigint) AS last_before,
      (SELECT position FROM audit_event WHERE log_time >= ${from}::timestamptz ORDER BY log_time, position LIMIT 1) AS first,
      (SELECT position FROM audit_event WHERE log_time < ${to}::timestamptz ORDER BY log_time DESC, position DESC LIMIT 1) AS last
    FROM projection_checkpoint p`);
  if (row === undefined) throw new Error('the log record has no checkpoint');
  const upTo = row.upTo ?? -1n;
  const lowest = [after === null ? 0n : after + 1n, from === null ? 0n : (row.first ?? upTo + 1n)];
  const highest = [upTo, before === null ? upTo : (row.lastBefore ?? -1n), to === null ? upTo : (row.last ?? -1n)];
  return {
    upTo: row.upTo,
    lowest: lowest.reduce((a, b) => (b > a ? b : a)),
    highest: highest.reduce((a, b) => (b < a ? b : a)),
  };
};
