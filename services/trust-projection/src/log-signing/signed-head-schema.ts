import type pg from 'pg';

/**
 * Creates the schema of what was signed, if it is missing. It is beside the log record and not in it: that one may be dropped and computed
 * again, and must then come to what was signed.
 */
export async function createSigningSchema(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(schemaSql);
}

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
  );
  -- Logs that the operator accepted although other events had been read (npm run log:accept), and without a time those that must be.
  CREATE TABLE IF NOT EXISTS log_signing.accepted_log (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The last event that both logs have; null if there is none, or it is not known.
    agreed_position bigint,
    began_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz
  );
  CREATE TABLE IF NOT EXISTS log_signing.signing_key (
    verifier_key text COLLATE "C" PRIMARY KEY,
    signs_since timestamptz NOT NULL DEFAULT now(),
    signed_until timestamptz
  );`;

/** The name under which the log was signed last; null if it was never signed. */
export async function recordedOrigin(client: Pick<pg.ClientBase, 'query'>): Promise<string | null> {
  const { rows } = await client.query<{ origin: string }>(
    'SELECT origin FROM log_signing.signed_head ORDER BY signed_at DESC LIMIT 1',
  );
  return rows[0]?.origin ?? null;
}
