import { type EvidenceV2, initialEvidenceV2, RECORD_MAX, type RulesV2 } from '@agent-trust/trust-policy';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../../shared/database.ts';
import { markedEvidenceAfter } from './marked-steps.ts';
import { type OrganisationSubject, subjectOf } from './organisation-tables.ts';

/** An agent's organisation at a position of the log, with its record there; null if it had none. Each row is found by an index. */
export async function findRecordOfAgentAt(
  database: ReadModelDatabase,
  { agentId, position, trustPolicy }: { agentId: string; position: bigint; trustPolicy: string },
): Promise<{ id: string; record: number } | null> {
  const [row] = await database.query<{ orgId: string | null; record: number | null }>(sql`
    SELECT member.org_id, (SELECT c.record FROM organisation_record_change c WHERE c.trust_policy = ${trustPolicy}
      AND c.org_id = member.org_id AND c.position <= ${position}::bigint ORDER BY c.position DESC LIMIT 1) AS record
    FROM agent a
    LEFT JOIN LATERAL (SELECT p.agent FROM agent_past p WHERE p.agent_id = a.agent_id AND p.until_position > ${position}::bigint
      ORDER BY p.until_position LIMIT 1) past ON true
    CROSS JOIN LATERAL (SELECT CASE WHEN past.agent IS NULL THEN a.org_id ELSE past.agent->>'orgId' END AS org_id) member
    WHERE a.agent_id = ${agentId}`);
  if (row === undefined) throw new Error(`agent ${agentId} was never registered`);
  return row.orgId === null ? null : { id: row.orgId, record: row.record ?? RECORD_MAX };
}

/** The evidence about an organisation at a position of the log, under a policy; null if there was none of this kind yet. */
export async function organisationEvidenceAt(
  database: ReadModelDatabase,
  {
    kind,
    orgId,
    position,
    trustPolicy,
  }: { kind: OrganisationSubject; orgId: string; position: bigint; trustPolicy: string },
  rules: RulesV2,
): Promise<EvidenceV2 | null> {
  const subject = subjectOf(trustPolicy, kind, orgId);
  const [row] = await database.query<{ steps: string | null }>(sql`
    SELECT (SELECT string_agg(x.change, ',' ORDER BY x.step) FROM organisation_evidence_step x
      WHERE x.subject = ${subject} AND x.window_position = s.window_position AND x.step <= s.step) AS steps
    FROM (SELECT window_position, step FROM organisation_evidence_step x
      WHERE x.subject = ${subject} AND x.window_position <= ${position}::bigint AND x.position <= ${position}::bigint
      ORDER BY x.window_position DESC, x.step DESC LIMIT 1) s`);
  if (row?.steps != null) return markedEvidenceAfter(row.steps, rules);
  return kind === 'record' ? initialEvidenceV2(RECORD_MAX) : null;
}

/** A review in the evidence about an organisation. */
export type OrganisationEntry = {
  eventId: string;
  transactionId: string;
  receiverAgentId: string;
  callerAgentId: string;
  reviewedAt: Date;
  success: boolean;
  score: number;
  place: number;
  countedAt: number;
  trust: number;
  roots: Record<string, number>;
  /** Of an answer: the share that the organisation answers for. */
  share: number | null;
  /** Newer reviews of the same reviewer that are not void; more than a limit count as that many. */
  newer: number;
  isVoid: boolean;
};

/** A review with as many newer ones of its reviewer has no weight under any policy, so more need not be counted. */
const newerCountedMax = 64;

/** A page of the reviews in an organisation's record or standing record at a position of the log, newest first. */
export function findOrganisationEntries(
  database: ReadModelDatabase,
  asked: {
    kind: OrganisationSubject;
    orgId: string;
    position: bigint;
    trustPolicy: string;
    limit: number;
    offset: number;
  },
): Promise<OrganisationEntry[]> {
  const { kind, orgId, position, trustPolicy, limit, offset } = asked;
  const ofRecord = subjectOf(trustPolicy, 'record', orgId);
  const subjects = kind === 'record' ? [ofRecord] : [ofRecord, subjectOf(trustPolicy, 'answer', orgId)];
  const inEvidence = (name: 'place' | 'counted_at'): Sql =>
    kind === 'record'
      ? raw(`e.${name}`)
      : name === 'place'
        ? sql`coalesce(e.standing_place, e.place)`
        : sql`coalesce(e.standing_counted_at, e.counted_at)`;
  const isVoid = (entry: string): Sql =>
    sql`EXISTS (SELECT FROM voided_review v WHERE v.position = ${raw(`${entry}.position`)} AND v.voided_position <= ${position}::bigint)`;
  return database.query<OrganisationEntry>(sql`
    SELECT r.event_id, r.transaction_id, e.receiver_agent_id, e.reviewer AS caller_agent_id, r.reviewed_at, e.success, e.score,
      ${inEvidence('place')} AS place, ${inEvidence('counted_at')} AS counted_at, e.trust, e.roots, e.share,
      ${isVoid('e')} AS is_void,
      (SELECT count(*)::int FROM (SELECT FROM trust_entry n WHERE n.subject = ANY (${subjects}::text[]) AND n.reviewer = e.reviewer
        AND n.position > e.position AND n.position <= ${position}::bigint AND NOT ${isVoid('n')}
        LIMIT ${newerCountedMax}::int) counted) AS newer
    FROM (${newestEntries(subjects, { position, limit, offset })}) e
    JOIN rating r ON r.position = e.position
    ORDER BY e.position DESC`);
}

/**
 * SQL: a page of the newest entries of some subjects. Each subject is read by itself, backwards in its index and only as far as the page reaches: of
 * `subject = ANY (...)` all entries would be read and sorted.
 */
export function newestEntries(
  subjects: readonly string[],
  { position, limit, offset }: { position: bigint; limit: number; offset: number },
): Sql {
  const newestOf = (subject: string): Sql => sql`(SELECT subject, position FROM trust_entry
    WHERE subject = ${subject} AND position <= ${position}::bigint ORDER BY position DESC LIMIT ${offset + limit}::int)`;
  return sql`SELECT * FROM (SELECT * FROM (${join(subjects.map(newestOf), ' UNION ALL ')}) newest
    ORDER BY position DESC OFFSET ${offset}::int LIMIT ${limit}::int) page JOIN trust_entry USING (subject, position)`;
}

export type Voucher = { organisation: string; since: { position: string; eventId: string } };

/** How many organisations vouch for another at a position of the log, and the first of them, in the order in which they began. */
export async function findVouchers(
  database: ReadModelDatabase,
  {
    orgId,
    position,
    trustPolicy,
    countMax,
  }: { orgId: string; position: bigint; trustPolicy: string; countMax: number },
): Promise<{ total: number; first: Voucher[] }> {
  const rows = await database.query<{ organisation: string; position: string; eventId: string; total: number }>(sql`
    SELECT v.organisation, v.began::text AS position, r.event_id, v.total FROM (
      SELECT voucher AS organisation, began, (count(*) OVER ())::int AS total FROM organisation_voucher
      CROSS JOIN LATERAL (SELECT (part->>1)::bigint AS began FROM jsonb_array_elements(periods) WITH ORDINALITY p (part, ordinal)
        WHERE (part->>0)::bigint <= ${position}::bigint ORDER BY ordinal DESC LIMIT 1) at_position
      WHERE trust_policy = ${trustPolicy} AND org_id = ${orgId} AND began IS NOT NULL
      ORDER BY began LIMIT ${countMax}::int) v
    JOIN rating r ON r.position = v.began
    ORDER BY v.began`);
  const first = rows.map(({ organisation, position: began, eventId }) => ({
    organisation,
    since: { position: began, eventId },
  }));
  return { total: rows[0]?.total ?? 0, first };
}

type ChangeRow = {
  position: bigint;
  at: Date;
  record: number;
  previousRecord: number;
  standing: number;
  previousStanding: number;
  causeType: string;
  causeEventId: string;
  transactionId: string | null;
};

/** A page of the changes of an organisation's records under a policy, oldest first, and how many there are in all. */
export async function findRecordChanges(
  database: ReadModelDatabase,
  { orgId, trustPolicy, limit, offset }: { orgId: string; trustPolicy: string; limit: number; offset: number },
): Promise<{ rows: ChangeRow[]; total: number }> {
  const ofOrganisation = sql`trust_policy = ${trustPolicy} AND org_id = ${orgId}`;
  const [rows, [counted]] = await Promise.all([
    database.query<ChangeRow>(sql`
      SELECT position, at, record, previous_record, standing, previous_standing, cause_type, cause_event_id, transaction_id
      FROM organisation_record_change WHERE ${ofOrganisation} ORDER BY position OFFSET ${offset}::int LIMIT ${limit}::int`),
    database.query<{ total: number }>(
      sql`SELECT count(*)::int AS total FROM organisation_record_change WHERE ${ofOrganisation}`,
    ),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** The policy in force at a position of the log, by its name. */
export async function policyInForceAt(database: ReadModelDatabase, position: bigint): Promise<string | null> {
  const [row] = await database.query<{ trustPolicy: string }>(
    sql`SELECT trust_policy FROM trust_policy_activation WHERE position <= ${position}::bigint ORDER BY ordinal DESC LIMIT 1`,
  );
  return row?.trustPolicy ?? null;
}

/** An organisation's name; null for an unknown one, and for one that there was not yet at a time. */
export async function findOrganisationName(
  database: ReadModelDatabase,
  orgId: string,
  time: Date | null,
): Promise<string | null> {
  const [row] = await database.query<{ orgName: string }>(
    sql`SELECT org_name FROM organisation WHERE org_id = ${orgId}
      AND created_at <= coalesce(${time?.toISOString() ?? null}::timestamptz, 'infinity')`,
  );
  return row?.orgName ?? null;
}
