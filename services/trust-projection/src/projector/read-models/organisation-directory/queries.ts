import type { OrganisationScope } from '@agent-trust/contracts';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';

export type OrganisationOfKey = {
  keyHash: string;
  orgId: string;
  orgName: string;
  universe: string;
  isDisabled: boolean;
  /** The named key of the hash, and until when this secret of it works; null for the organisation's own key of the universe. */
  namedKey: { keyId: string; name: string; scopes: OrganisationScope[]; expiresAt: Date } | null;
};

type Row = Omit<OrganisationOfKey, 'namedKey'> & {
  keyId: string | null;
  name: string | null;
  scopes: OrganisationScope[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
};

/** The organisations behind org keys' hashes. A hash of several keys opens nothing: a choice could admit one organisation as another. */
export async function findOrganisationsByKeyHash(
  database: ReadModelDatabase,
  keyHashes: readonly string[],
): Promise<OrganisationOfKey[]> {
  const found = await database.query<Row>(sql`
    SELECT k.key_hash, o.org_id, o.org_name, o.is_disabled, k.universe, k.key_id, k.name, k.scopes, k.expires_at, k.revoked_at
    FROM (
      SELECT key_hash, org_id, universe, NULL AS key_id, NULL AS name, NULL::text[] AS scopes,
        NULL::timestamptz AS expires_at, NULL::timestamptz AS revoked_at
      FROM organisation_key WHERE key_hash = ANY (${keyHashes}::text[])
      UNION ALL
      SELECT key_hash, org_id, universe, key_id, name, scopes, expires_at, revoked_at
      FROM organisation_named_key WHERE key_hash = ANY (${keyHashes}::text[])
      UNION ALL
      SELECT former_key_hash, org_id, universe, key_id, name, scopes, former_ends_at, revoked_at
      FROM organisation_named_key WHERE former_key_hash = ANY (${keyHashes}::text[])
    ) k JOIN organisation o USING (org_id)`);
  const byHash = Map.groupBy(found, ({ keyHash }) => keyHash);
  return found
    .filter(({ keyHash, revokedAt }) => revokedAt === null && byHash.get(keyHash)?.length === 1)
    .map(({ keyHash, orgId, orgName, universe, isDisabled, keyId, name, scopes, expiresAt }) => {
      const isNamed = keyId !== null && name !== null && scopes !== null && expiresAt !== null;
      const namedKey = isNamed ? { keyId, name, scopes, expiresAt } : null;
      return { keyHash, orgId, orgName, universe, isDisabled, namedKey };
    });
}
