import type { ReadModelDatabase } from '../../queries/database.ts';

export type OrganisationOfKey = { keyHash: string; orgId: string; orgName: string; universe: string };

/** The organisations behind org keys' hashes, each with the universe that the key opens. */
export const findOrganisationsByKeyHash = (
  database: ReadModelDatabase,
  keyHashes: readonly string[],
): Promise<OrganisationOfKey[]> =>
  database.query<OrganisationOfKey>({
    name: 'organisations-by-key-hash',
    text: `SELECT k.key_hash AS "keyHash", o.org_id AS "orgId", o.org_name AS "orgName", k.universe
      FROM organisation_key k JOIN organisation o USING (org_id) WHERE k.key_hash = ANY ($1::text[])`,
    values: [keyHashes],
  });
