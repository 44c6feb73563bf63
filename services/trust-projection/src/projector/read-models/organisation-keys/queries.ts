import type { OrganisationKeyView, OrganisationScope } from '@agent-trust/contracts';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';

type Row = {
  keyId: string;
  name: string;
  scopes: OrganisationScope[];
  createdAt: number;
  replacedAt: Date | null;
  expiresAt: Date;
  formerEndsAt: Date | null;
  revokedAt: Date | null;
};

/** Keys that work at `now` first, each part newest first. */
export async function listedOrganisationKeys(
  database: ReadModelDatabase,
  { orgId, universe, now, limit }: { orgId: string; universe: string; now: string; limit: number },
): Promise<OrganisationKeyView[]> {
  const rows = await database.query<Row>(sql`
    SELECT key_id, name, scopes, created_at, replaced_at, expires_at, former_ends_at, revoked_at
    FROM organisation_named_key WHERE org_id = ${orgId} AND universe = ${universe}
    ORDER BY revoked_at IS NOT NULL OR expires_at <= ${now}::timestamptz, created_at DESC, key_id LIMIT ${limit}::int`);
  return rows.map(({ createdAt, replacedAt, expiresAt, formerEndsAt, revokedAt, ...key }) => ({
    ...key,
    createdAt: new Date(createdAt).toISOString(),
    replacedAt: replacedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
    formerKeyEndsAt: formerEndsAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  }));
}
