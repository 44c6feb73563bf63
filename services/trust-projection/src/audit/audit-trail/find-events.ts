import { queryLimits } from '../../shared/limits.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { sha256Hex } from '../../shared/sha256-hex.ts';
import { positionBounds } from './position-bounds.ts';

/** Which events, and which of them at a time; what is null leaves nothing out. */
export type AuditQuestion = {
  agentId: string | null;
  orgId: string | null;
  types: readonly string[] | null;
  correlationId: string | null;
  /** Leaves out what agents did with each other in other universes. */
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

/** The index that a question goes along: what names the fewest events first. Those it finds are held against everything else. */
type Way = { table: string; key: string; value: unknown } | null;

const wayOf = ({ correlationId, agentId, orgId }: AuditQuestion): Way => {
  if (correlationId !== null) return { table: 'audit_event', key: 'correlation_id', value: correlationId };
  if (agentId !== null) return { table: 'audit_agent', key: 'agent_id', value: agentId };
  if (orgId !== null) return { table: 'audit_organisation', key: 'org_id', value: orgId };
  return null;
};

/** One for each shape of a statement. Postgres keeps 63 characters of a name, and one that was cut would stand for several. */
const nameOf = (text: string): string => `audit-${sha256Hex(text).slice(0, 32)}`;

/** Collects a statement's values; each is named by its place. */
const collectValues = (): { values: unknown[]; place: (value: unknown) => string } => {
  const values: unknown[] = [];
  return { values, place: (value) => `$${values.push(value)}` };
};

/**
 * Events in the order of positions, or against it. A question costs as much as its answer is long, and never more than looking at
 * `auditScanMax` events of its way; one that finds little among many is cut there, and goes on from `seenTo`.
 */
export async function findAuditEvents(database: ReadModelDatabase, question: AuditQuestion): Promise<FoundEvents> {
  const { order, limit } = question;
  const { upTo, lowest, highest } = await positionBounds(database, question);
  const end = order === 'asc' ? highest : lowest;
  if (upTo === null || lowest > highest) return { events: [], upTo, seenTo: upTo === null ? null : end, isCut: false };
  const way = wayOf(question);
  const { values, place } = collectValues();
  const within = `position BETWEEN ${place(String(lowest))}::bigint AND ${place(String(highest))}::bigint`;
  const [one, scanMax] = [place(limit + 1), place(queryLimits.auditScanMax)];

  let candidates: string;
  let isBounded = false;
  if (way !== null) {
    const named = `${way.key} = ${place(way.value)}::text`;
    candidates = `SELECT position FROM ${way.table} WHERE ${named} AND ${within} ORDER BY position ${order} LIMIT ${scanMax}::int`;
    isBounded = true;
  } else if (question.types === null) {
    candidates = `SELECT position FROM audit_event WHERE ${within} ORDER BY position ${order} LIMIT ${one}::int`;
  } else {
    candidates = `SELECT typed.position FROM unnest(${place(question.types)}::text[]) AS wanted(type)
      CROSS JOIN LATERAL (SELECT position FROM audit_event a WHERE a.type = wanted.type AND ${within} ORDER BY position ${order} LIMIT ${one}::int) typed
      ORDER BY typed.position ${order} LIMIT ${one}::int`;
  }

  const filters = ['e.position = c.position'];
  if (way !== null && question.types !== null) filters.push(`e.type = ANY (${place(question.types)}::text[])`);
  if (question.universe !== null)
    filters.push(`(e.universe IS NULL OR e.universe = ${place(question.universe)}::text)`);
  const isNamed = (table: string, key: string, value: string): void => {
    filters.push(`EXISTS (SELECT FROM ${table} n WHERE n.${key} = ${place(value)}::text AND n.position = e.position)`);
  };
  if (question.agentId !== null && way?.key !== 'agent_id') isNamed('audit_agent', 'agent_id', question.agentId);
  if (question.orgId !== null && way?.key !== 'org_id') isNamed('audit_organisation', 'org_id', question.orgId);

  // What names a limit that one of the two statements does not use would be a value without a type there.
  const text = `SELECT e.position, e.leaf_index AS "leafIndex" FROM (${candidates}) c
    CROSS JOIN LATERAL (SELECT * FROM audit_event e WHERE ${filters.join(' AND ')} OFFSET 0) e
    WHERE ${scanMax}::int > 0 ORDER BY c.position ${order} LIMIT ${one}::int`;
  const found = await database.query<FoundEvent>({ name: nameOf(text), text, values });
  if (found.length > limit) {
    const events = found.slice(0, limit);
    return { events, upTo, seenTo: events.at(-1)?.position ?? end, isCut: true };
  }
  if (isBounded && way !== null) {
    const stopped = await lastLookedAt(database, way, { lowest, highest, order });
    if (stopped !== null) return { events: found, upTo, seenTo: stopped, isCut: true };
  }
  return { events: found, upTo, seenTo: end, isCut: false };
}

/** Where a search stopped that looked at as many events as it may; null for one that came to its end. */
const lastLookedAt = async (
  database: ReadModelDatabase,
  way: NonNullable<Way>,
  { lowest, highest, order }: { lowest: bigint; highest: bigint; order: 'asc' | 'desc' },
): Promise<bigint | null> => {
  const text = `SELECT position FROM ${way.table} WHERE ${way.key} = $1::text AND position BETWEEN $2::bigint AND $3::bigint
    ORDER BY position ${order} OFFSET $4::int LIMIT 1`;
  const values = [way.value, String(lowest), String(highest), queryLimits.auditScanMax - 1];
  const [row] = await database.query<{ position: bigint }>({ name: nameOf(text), text, values });
  return row?.position ?? null;
};
