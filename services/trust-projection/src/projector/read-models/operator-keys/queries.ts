import type { OperatorKeyView, OperatorRole } from '@agent-trust/contracts';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';

export type OperatorKeyOfHash = {
  keyHash: string;
  operatorKeyId: string;
  name: string;
  role: OperatorRole;
  expiresAt: Date;
};

/** The keys that are not revoked, by their hashes. A hash of several keys opens nothing: a choice could admit one operator as another. */
export async function findOperatorKeysByHash(
  database: ReadModelDatabase,
  keyHashes: readonly string[],
): Promise<OperatorKeyOfHash[]> {
  const found = await database.query<OperatorKeyOfHash & { revokedAt: Date | null }>(sql`
    SELECT key_hash, operator_key_id, name, role, expires_at, revoked_at
    FROM operator_key WHERE key_hash = ANY (${keyHashes}::text[])`);
  const byHash = Map.groupBy(found, ({ keyHash }) => keyHash);
  return found.filter(({ keyHash, revokedAt }) => revokedAt === null && byHash.get(keyHash)?.length === 1);
}

type Row = {
  operatorKeyId: string;
  name: string;
  role: OperatorRole;
  createdAt: Date;
  createdById: string | null;
  createdByIssuer: string | null;
  expiresAt: Date;
  revokedAt: Date | null;
  revokedFor: string | null;
};

/** Keys that work first, whatever their number (at most 200 work); each part newest first. */
export async function listedOperatorKeys(database: ReadModelDatabase, limit: number): Promise<OperatorKeyView[]> {
  const rows = await database.query<Row>(sql`
    SELECT operator_key_id, name, role, created_at, created_by_id, created_by_issuer, expires_at, revoked_at, revoked_for
    FROM operator_key ORDER BY revoked_at IS NOT NULL OR expires_at <= now(), created_at DESC, operator_key_id LIMIT ${limit}::int`);
  return rows.map(({ createdAt, createdById, createdByIssuer, expiresAt, revokedAt, ...key }) => ({
    ...key,
    createdAt: createdAt.toISOString(),
    createdBy: { id: createdById, issuer: createdByIssuer },
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }));
}
