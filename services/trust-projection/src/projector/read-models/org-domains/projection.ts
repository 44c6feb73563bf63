import { evolveProof, isProofEvent, nextCheckOf, type OrgDomainProof } from '@agent-trust/domain';
import { column, defineTable, type RowOf, type Rows } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';

export const orgDomainProofs = defineTable({
  name: 'org_domain_proof',
  columns: {
    domain: 'text',
    orgId: 'text',
    method: column<OrgDomainProof['method']>('text'),
    tokenHash: 'text?',
    provedAt: 'timestamptz',
    checkedAt: 'timestamptz',
    misses: 'integer',
    lapsedAt: 'timestamptz?',
    nextCheckAt: 'timestamptz?',
  },
  key: ['domain'],
});
export type OrgDomainProofRow = RowOf<typeof orgDomainProofs>;

export const orgDomainRequests = defineTable({
  name: 'org_domain_request',
  columns: { orgId: 'text', domain: 'text', tokenHash: 'text', requestedAt: 'timestamptz' },
  key: ['orgId', 'domain'],
});

/** An organisation with a proved domain. */
export const provenOrganisations = defineTable({
  name: 'proven_organisation',
  columns: { orgId: 'text', domains: 'integer' },
  key: ['orgId'],
});

/** Follows who asked for a token, and who has proved a domain. */
export const orgDomainsProjection: RegistryProjection = {
  name: 'org-domains',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [orgDomainProofs, orgDomainRequests, provenOrganisations],
  reads: (event, wanted) => {
    if (!isProofEvent(event)) return;
    wanted.row(orgDomainProofs, event.data.domain);
    wanted.row(provenOrganisations, event.data.orgId);
  },
  apply: (event, rows) => {
    if (event.type === 'OrgDomainProofRequested') {
      const { orgId, domain, tokenHash, requestedAt } = event.data;
      rows.put(orgDomainRequests, { orgId, domain, tokenHash, requestedAt: new Date(requestedAt) });
    }
    if (!isProofEvent(event)) return;
    const { domain } = event.data;
    const before = rows.get(orgDomainProofs, domain);
    const proof = evolveProof(before === undefined ? null : proofOf(before), event);
    if (proof !== null) rows.put(orgDomainProofs, rowOf(domain, proof));
    else if (before !== undefined) rows.delete(orgDomainProofs, domain);
    const { orgId } = event.data;
    countDomains(rows, orgId, Number(proof?.orgId === orgId) - Number(before?.orgId === orgId));
  },
};

const countDomains = (rows: Rows, orgId: string, change: number): void => {
  if (change === 0) return;
  const domains = (rows.get(provenOrganisations, orgId)?.domains ?? 0) + change;
  if (domains > 0) rows.put(provenOrganisations, { orgId, domains });
  else rows.delete(provenOrganisations, orgId);
};

const proofOf = (row: OrgDomainProofRow): OrgDomainProof => ({
  orgId: row.orgId,
  method: row.method,
  tokenHash: row.tokenHash,
  provedAt: row.provedAt.toISOString(),
  checkedAt: row.checkedAt.toISOString(),
  misses: row.misses,
  lapsedAt: row.lapsedAt?.toISOString() ?? null,
});

const rowOf = (domain: string, proof: OrgDomainProof): OrgDomainProofRow => ({
  ...proof,
  domain,
  provedAt: new Date(proof.provedAt),
  checkedAt: new Date(proof.checkedAt),
  lapsedAt: proof.lapsedAt === null ? null : new Date(proof.lapsedAt),
  nextCheckAt: nextCheckOf(proof),
});
