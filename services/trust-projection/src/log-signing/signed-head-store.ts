import type { Logger } from '@agent-trust/service-kit';
import pg from 'pg';
import { queryLimits } from '../shared/limits.ts';

/** The last head of the tree that was signed, and its last leaf, by which the log is known again. */
export type SignedHead = {
  size: number;
  root: Uint8Array;
  /** Null for the tree without leaves. */
  lastLeaf: { position: bigint; hash: Uint8Array } | null;
};

/** Remembers what was signed, for all instances. */
export type SignedHeadStore = {
  /** Null when nothing was signed yet. */
  read(): Promise<SignedHead | null>;
  /** Replaces `before` by `after`, durably; false when `before` is no longer what was signed last. */
  replace(before: SignedHead | null, after: SignedHead): Promise<boolean>;
  close(): Promise<void>;
};

// Beside the log record and not in it: that one may be dropped and computed again, and must then come to what was signed.
const schemaSql = `
  SELECT pg_advisory_xact_lock(hashtextextended('migrate:log_signing', 0));
  CREATE SCHEMA IF NOT EXISTS log_signing;
  CREATE TABLE IF NOT EXISTS log_signing.signed_head (
    origin text COLLATE "C" PRIMARY KEY,
    size bigint NOT NULL,
    root bytea NOT NULL,
    last_position bigint,
    last_leaf bytea,
    signed_at timestamptz NOT NULL
  );`;

type Row = { size: string; root: Buffer; lastPosition: string | null; lastLeaf: Buffer | null };

const headOf = ({ size, root, lastPosition, lastLeaf }: Row): SignedHead => ({
  size: Number(size),
  root: new Uint8Array(root),
  lastLeaf:
    lastPosition === null || lastLeaf === null
      ? null
      : { position: BigInt(lastPosition), hash: new Uint8Array(lastLeaf) },
});

/** Opens the memory of what was signed under an origin, and makes it where there is none. */
export async function openSignedHeadStore(
  connectionString: string,
  origin: string,
  logger: Pick<Logger, 'warn'>,
): Promise<SignedHeadStore> {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'trust-projection log signing',
    max: queryLimits.logSigningConnectionsMax,
    connectionTimeoutMillis: queryLimits.databaseConnectTimeoutMs,
    statement_timeout: queryLimits.databaseStatementTimeoutMs,
    keepAlive: true,
    // A checkpoint that anybody has seen must not be forgotten, whatever the database's default is.
    options: '-c synchronous_commit=on',
  });
  pool.on('error', (err) => logger.warn({ err }, 'database connection lost'));
  try {
    await pool.query(schemaSql);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    read: async () => {
      const { rows } = await pool.query<Row>({
        name: 'signed-head',
        text: `SELECT size, root, last_position AS "lastPosition", last_leaf AS "lastLeaf"
          FROM log_signing.signed_head WHERE origin = $1`,
        values: [origin],
      });
      return rows[0] === undefined ? null : headOf(rows[0]);
    },
    replace: async (before, after) => {
      const { rowCount } = await pool.query({
        name: before === null ? 'first-signed-head' : 'next-signed-head',
        text:
          before === null
            ? `INSERT INTO log_signing.signed_head (origin, size, root, last_position, last_leaf, signed_at)
               VALUES ($1, $2, $3, $4, $5, now()) ON CONFLICT (origin) DO NOTHING`
            : `UPDATE log_signing.signed_head SET size = $2, root = $3, last_position = $4, last_leaf = $5, signed_at = now()
               WHERE origin = $1 AND size = $6 AND root = $7 AND $2 > size`,
        values: [
          origin,
          after.size,
          after.root,
          after.lastLeaf === null ? null : String(after.lastLeaf.position),
          after.lastLeaf?.hash ?? null,
          ...(before === null ? [] : [before.size, before.root]),
        ],
      });
      return rowCount === 1;
    },
    close: () => pool.end(),
  };
}
