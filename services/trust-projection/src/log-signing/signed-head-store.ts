import { DomainError } from '@agent-trust/contracts';
import type { Logger } from '@agent-trust/service-kit';
import sql from 'sql-template-tag';
import { openPool, runQuery } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';
import { otherOrigin } from './log-origin.ts';
import { createSigningSchema, recordedOrigin } from './signed-head-schema.ts';

/** The last head of the tree that was signed, and its last leaf, by which the log is known again. */
export type SignedHead = {
  size: number;
  root: Uint8Array;
  /** Null for the tree without leaves. */
  lastLeaf: { position: bigint; hash: Uint8Array } | null;
};

/** Remembers what was signed, for all instances. */
export type SignedHeadStore = {
  /** The name of the log, under which it is signed. */
  readonly origin: string;
  /** Null when nothing was signed yet. */
  read(): Promise<SignedHead | null>;
  /** Replaces `before` by `after`, durably; false when `before` is no longer what was signed last. */
  replace(before: SignedHead | null, after: SignedHead): Promise<boolean>;
  /** Size of the last signed head and the seconds since it was signed; null when nothing was signed yet. */
  lastSigned(): Promise<{ size: number; ageSeconds: number } | null>;
  /** Records which keys sign from now on; others have signed until now. */
  recordKeys(verifierKeys: readonly string[]): Promise<void>;
  /** Every key that was recorded, newest first. */
  keys(): Promise<RecordedKey[]>;
  close(): Promise<void>;
};

export type RecordedKey = { verifierKey: string; signsSince: Date; signedUntil: Date | null };

type Row = { size: bigint; root: Buffer; lastPosition: bigint | null; lastLeaf: Buffer | null };

const headOf = ({ size, root, lastPosition, lastLeaf }: Row): SignedHead => ({
  size: Number(size),
  root: new Uint8Array(root),
  lastLeaf:
    lastPosition === null || lastLeaf === null ? null : { position: lastPosition, hash: new Uint8Array(lastLeaf) },
});

/**
 * Opens the memory of what was signed, and creates it if it is missing.
 * @param originFor the name of the log, by the one that is recorded, or null
 */
export async function openSignedHeadStore(
  connectionString: string,
  originFor: (recorded: string | null) => string,
  logger: Pick<Logger, 'warn'>,
): Promise<SignedHeadStore> {
  const pool = openPool(connectionString, logger, {
    name: 'log_signing',
    application_name: 'trust-projection log signing',
    max: queryLimits.logSigningConnectionsMax,
    // A checkpoint that anybody has seen must not be forgotten, whatever the database's default is.
    options: '-c synchronous_commit=on',
  });
  let origin: string;
  try {
    await createSigningSchema(pool);
    origin = originFor(await recordedOrigin(pool));
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    origin,
    read: async () => {
      const [row] = await runQuery<Row>(
        pool,
        sql`SELECT size, root, last_position, last_leaf FROM log_signing.signed_head WHERE origin = ${origin}`,
      );
      return row === undefined ? null : headOf(row);
    },
    replace: async (before, { size, root, lastLeaf }) => {
      const [position, leaf] = [lastLeaf?.position ?? null, lastLeaf?.hash ?? null];
      const replaced = await runQuery(
        pool,
        before === null
          ? sql`INSERT INTO log_signing.signed_head (origin, size, root, last_position, last_leaf, signed_at)
              SELECT ${origin}, ${size}, ${root}::bytea, ${position}::bigint, ${leaf}::bytea, now()
              WHERE NOT EXISTS (SELECT FROM log_signing.signed_head) ON CONFLICT (origin) DO NOTHING RETURNING origin`
          : sql`UPDATE log_signing.signed_head
              SET size = ${size}, root = ${root}, last_position = ${position}, last_leaf = ${leaf}, signed_at = now()
              WHERE origin = ${origin} AND size = ${before.size} AND root = ${before.root} AND size < ${size} RETURNING origin`,
      );
      if (replaced.length === 0 && before === null) {
        // An instance with another BASE_URL was the first to sign.
        const recorded = await recordedOrigin(pool);
        if (recorded !== null && recorded !== origin)
          throw new DomainError('log_inconsistent', otherOrigin(origin, recorded));
      }
      return replaced.length === 1;
    },
    lastSigned: async () => {
      const [row] = await runQuery<{ size: bigint; ageSeconds: number }>(
        pool,
        sql`SELECT size, greatest(0, extract(epoch FROM now() - signed_at))::float8 AS age_seconds
            FROM log_signing.signed_head WHERE origin = ${origin}`,
      );
      return row === undefined ? null : { size: Number(row.size), ageSeconds: row.ageSeconds };
    },
    recordKeys: async (verifierKeys) => {
      await runQuery(
        pool,
        sql`WITH retired AS (
              UPDATE log_signing.signing_key SET signed_until = now()
              WHERE verifier_key <> ALL (${verifierKeys}::text[]) AND signed_until IS NULL
            )
            INSERT INTO log_signing.signing_key (verifier_key) SELECT unnest(${verifierKeys}::text[])
            ON CONFLICT (verifier_key) DO UPDATE SET signed_until = NULL`,
      );
    },
    keys: () =>
      runQuery<RecordedKey>(
        pool,
        sql`SELECT verifier_key, signs_since, signed_until FROM log_signing.signing_key
          ORDER BY signed_until DESC NULLS FIRST, signs_since DESC, verifier_key`,
      ),
    close: () => pool.end(),
  };
}
