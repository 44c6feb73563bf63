import type { ReadModelDatabase } from '../../../shared/database.ts';

export type OrganisationOfKey = { keyHash: string; orgId: string; orgName: string; universe: string };

/**
 * The organisations behind org keys' hashes, each with the universe that the key opens. A hash that stands for more than one key
 * opens nothing: whichever were chosen, somebody would be let in where another's key belongs.
 */
export async function findOrganisationsByKeyHash(
  database: ReadModelDatabase,
  keyHashes: readonly string[],
): Promise<OrganisationOfKey[]> {
  const found = await database.query<OrganisationOfKey>({
    name: 'organisations-by-key-hash',
    text: `SELECT k.key_hash AS "keyHash", o.org_id AS "orgId", o.org_name AS "orgName", k.universe
      FROM organisation_key k JOIN organisation o USING (org_id) WHERE k.key_hash = ANY ($1::text[])`,
    values: [keyHashes],
  });
  const times = new Map<string, number>();
  for (const { keyHash } of found) times.set(keyHash, (times.get(keyHash) ?? 0) + 1);
  return found.filter(({ keyHash }) => times.get(keyHash) === 1);
}
