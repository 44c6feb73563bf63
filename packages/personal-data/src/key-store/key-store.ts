import { randomUUID } from 'node:crypto';
import { postgresVersionFault } from '@agent-trust/limits';
import { observePool } from '@agent-trust/metrics';
import pg from 'pg';
import {
  type AgentKey,
  newAgentKey,
  unwrapKey,
  type WrappedKey,
  wrapKey,
  type WrappingKey,
} from '../sealing/agent-key.ts';
import { KeyStoreUnavailableError, toKeyStoreError } from './errors.ts';
import { keyStoreLimits } from './limits.ts';
import { rowsToCheck } from './wrapped-by.ts';

/** Stores the keys of agents' contacts and answers to reviews. Nothing is cached in memory: a destroyed key is destroyed for every process at once. */
export type KeyStore = {
  /** The current key for an agent's texts; creates one if the agent has none. Durable before it is returned. */
  current(agentId: string): Promise<AgentKey>;
  /** A key by its id, or null if it was destroyed. */
  find(keyId: string): Promise<AgentKey | null>;
  /** Which of these keys still exist. */
  standing(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Destroys an agent's key, durably, and returns its id; null if the agent has none. */
  destroy(agentId: string): Promise<string[]>;
  /** Rejects with a readable message if the server is too old, the keys cannot be read or some were made with another PERSONAL_DATA_KEY than its values. */
  check(): Promise<void>;
  close(): Promise<void>;
};

type Row = { keyId: string; agentId: string; wrapped: Buffer };

const columns = 'key_id AS "keyId", agent_id AS "agentId", wrapped_key AS wrapped';

/** Opens the key store in the schema `personal_data` of a Postgres database. Connects at the first query. */
export function openKeyStore(
  connectionString: string,
  wrappingKey: WrappingKey,
  onError: (error: Error) => void = () => undefined,
): KeyStore {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'personal data keys',
    max: keyStoreLimits.connectionsMax,
    connectionTimeoutMillis: keyStoreLimits.connectTimeoutMs,
    statement_timeout: keyStoreLimits.statementTimeoutMs,
    keepAlive: true,
    // A key must be on disk before anything is sealed with it, and deleted from disk before its destruction is reported.
    options: '-c synchronous_commit=on',
  });
  // The pool replaces a connection that breaks while idle; without a listener, its error event would end the process.
  pool.on('error', onError);
  // A connection in use or closing, too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const stopObserving = observePool('personal_data', pool);

  const rows = async (name: string, text: string, values: unknown[]): Promise<Row[]> => {
    try {
      return (await pool.query<Row>({ name, text, values })).rows;
    } catch (error) {
      throw toKeyStoreError(error);
    }
  };
  const open = (row: WrappedKey | undefined): AgentKey | null =>
    row === undefined ? null : unwrapKey(wrappingKey, row);
  /** One statement for both: most agents that a key is wanted for are new. Null if another process makes or destroys it at this moment. */
  const findOrMake = async (agentId: string): Promise<AgentKey | null> => {
    const { keyId, wrapped } = wrapKey(wrappingKey, newAgentKey(agentId, randomUUID()));
    const text = `
      WITH found AS (SELECT ${columns} FROM personal_data.agent_key WHERE agent_id = $2),
      made AS (
        INSERT INTO personal_data.agent_key (key_id, agent_id, wrapped_key)
        SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM found)
        ON CONFLICT (agent_id) DO NOTHING RETURNING ${columns}
      )
      SELECT * FROM found UNION ALL SELECT * FROM made`;
    return open((await rows('find-or-make-key', text, [keyId, agentId, wrapped]))[0]);
  };

  return {
    current: async (agentId) => {
      for (let attempt = 1; attempt <= keyStoreLimits.currentKeyAttemptsMax; attempt += 1) {
        const key = await findOrMake(agentId);
        if (key !== null) return key;
      }
      throw new KeyStoreUnavailableError(`the key of ${JSON.stringify(agentId)} was destroyed each time it was made`);
    },
    find: async (keyId) =>
      open((await rows('key-by-id', `SELECT ${columns} FROM personal_data.agent_key WHERE key_id = $1`, [keyId]))[0]),
    standing: async (keyIds) => {
      if (keyIds.length === 0) return new Set();
      const text = `SELECT ${columns} FROM personal_data.agent_key WHERE key_id = ANY ($1::text[])`;
      return new Set((await rows('keys-by-id', text, [keyIds])).map(({ keyId }) => keyId));
    },
    destroy: async (agentId) => {
      const text = `DELETE FROM personal_data.agent_key WHERE agent_id = $1 RETURNING ${columns}`;
      return (await rows('destroy-key', text, [agentId])).map(({ keyId }) => keyId);
    },
    check: async () => {
      const version = "SELECT current_setting('server_version_num')::integer AS version";
      const { rows: found } = await pool.query<{ version: number }>(version).catch((error: unknown) => {
        throw toKeyStoreError(error);
      });
      const fault = postgresVersionFault(found[0]?.version ?? 0);
      if (fault !== null) throw new Error(fault);
      const { text, values } = rowsToCheck(wrappingKey);
      for (const row of await rows('keys-to-check', text, values)) open(row);
    },
    close: () => {
      stopObserving();
      return pool.end();
    },
  };
}
