import type { OrgDomainView } from '@agent-trust/contracts';
import { domainProofTerms } from '@agent-trust/domain';
import sql, { type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { OrgDomainProofRow } from './projection.ts';

type Row = { domain: string; requestedAt: Date | null } & {
  [Key in keyof Omit<OrgDomainProofRow, 'domain'>]: OrgDomainProofRow[Key] | null;
};

/** An organisation's domains `d`, those that it asked for and those that it has proved. */
const domainsOf = (orgId: string): Sql => sql`(
  SELECT domain FROM org_domain_request WHERE org_id = ${orgId}
  UNION SELECT domain FROM org_domain_proof WHERE org_id = ${orgId}) d`;

const viewColumns = (orgId: string): Sql => sql`
  d.domain, r.requested_at, p.org_id, p.method, p.token_hash, p.proved_at, p.checked_at, p.misses, p.lapsed_at, p.next_check_at
  FROM ${domainsOf(orgId)}
  LEFT JOIN org_domain_request r ON r.org_id = ${orgId} AND r.domain = d.domain
  LEFT JOIN org_domain_proof p ON p.org_id = ${orgId} AND p.domain = d.domain`;

const toView = (row: Row): OrgDomainView => ({
  domain: row.domain,
  status: row.orgId === null ? 'requested' : row.lapsedAt === null ? 'proved' : 'lapsed',
  method: row.method,
  requestedAt: row.requestedAt?.toISOString() ?? null,
  provedAt: row.provedAt?.toISOString() ?? null,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  lapsedAt: row.lapsedAt?.toISOString() ?? null,
  endsAt: row.lapsedAt === null ? null : new Date(row.lapsedAt.getTime() + domainProofTerms.graceMs).toISOString(),
  nextCheckAt: row.nextCheckAt?.toISOString() ?? null,
});

/** A page of an organisation's domains, by name; `total` counts all pages. */
export async function findDomainsOfOrganisation(
  database: ReadModelDatabase,
  { orgId, limit, offset }: { orgId: string; limit: number; offset: number },
): Promise<{ domains: OrgDomainView[]; total: number }> {
  const [counted] = await database.query<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM ${domainsOf(orgId)}`,
  );
  const rows = await database.query<Row>(sql`
    SELECT ${viewColumns(orgId)} ORDER BY d.domain LIMIT ${limit}::int OFFSET ${offset}::int`);
  return { domains: rows.map(toView), total: counted?.total ?? 0 };
}

/** Who has proved a domain. The first hash is that of the proof; none if the operator vouches for it. */
export type ProvedBy = Pick<OrgDomainProofRow, 'orgId' | 'method'> & { isLapsed: boolean; tokenHashes: string[] };

/** Of `org_domain_proof p`. A proof may be shown by its own token, and by a newer one that its organisation asked for. */
const provedByColumns: Sql = sql`p.org_id, p.method, p.lapsed_at IS NOT NULL AS is_lapsed, CASE WHEN p.token_hash IS NULL THEN '{}'::text[] ELSE array_remove(ARRAY[p.token_hash,
  (SELECT r.token_hash FROM org_domain_request r WHERE r.org_id = p.org_id AND r.domain = p.domain AND r.token_hash <> p.token_hash)], NULL) END AS token_hashes`;

/** What is known of one domain and an organisation. */
export async function findOrgDomain(
  database: ReadModelDatabase,
  { orgId, domain }: { orgId: string; domain: string },
): Promise<{ view: OrgDomainView | null; tokenHash: string | null; provedBy: ProvedBy | null }> {
  const [row] = await database.query<Row & { requestedHash: string | null }>(sql`
    SELECT r.token_hash AS requested_hash, ${viewColumns(orgId)} WHERE d.domain = ${domain}`);
  const [provedBy] = await database.query<ProvedBy>(sql`
    SELECT ${provedByColumns} FROM org_domain_proof p WHERE p.domain = ${domain}`);
  return {
    view: row === undefined ? null : toView(row),
    tokenHash: row?.requestedHash ?? null,
    provedBy: provedBy ?? null,
  };
}

/**
 * Proofs to be looked at now, those due for longest first; and those whose domain an agent of another organisation still has (`isDue`
 * false), because what took it away broke off.
 */
export function findDueProofs(
  database: ReadModelDatabase,
  now: Date,
  countMax: number,
): Promise<(ProvedBy & { domain: string; isDue: boolean })[]> {
  return database.query<ProvedBy & { domain: string; isDue: boolean }>(sql`
    SELECT p.domain, ${provedByColumns}, coalesce(p.next_check_at <= ${now}, false) AS is_due
    FROM org_domain_proof p
    WHERE p.next_check_at <= ${now}
      OR EXISTS (SELECT FROM agent a WHERE a.org_domain = p.domain AND a.org_id IS DISTINCT FROM p.org_id)
    ORDER BY p.next_check_at NULLS LAST, p.domain LIMIT ${countMax}::int`);
}
