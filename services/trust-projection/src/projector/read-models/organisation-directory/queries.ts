import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';

export type OrganisationOfKey = {
  keyHash: string;
  orgId: string;
  orgName: string;
  universe: string;
  isDisabled: boolean;
};

/** The organisations behind org keys' hashes. A hash of several keys opens nothing: a choice could admit one organisation as another. */
export async function findOrganisationsByKeyHash(
  database: ReadModelDatabase,
  keyHashes: readonly string[],
): Promise<OrganisationOfKey[]> {
  const found = await database.query<OrganisationOfKey>(sql`
    SELECT k.key_hash, o.org_id, o.org_name, o.is_disabled, k.universe
    FROM organisation_key k JOIN organisation o USING (org_id) WHERE k.key_hash = ANY (${keyHashes}::text[])`);
  const byHash = Map.groupBy(found, ({ keyHash }) => keyHash);
  return found.filter(({ keyHash }) => byHash.get(keyHash)?.length === 1);
}
