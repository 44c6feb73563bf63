import { randomUUID } from 'node:crypto';
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

/** Where the keys of agents' contacts are. Nothing is held in memory: what is destroyed is destroyed for everybody at once. */
export type KeyStore = {
  /** The key that an agent's texts are sealed with now; makes one for an agent without. Durable before it is answered. */
  current(agentId: string): Promise<AgentKey>;
  /** A key by its id, or null for one that was destroyed. */
  find(keyId: string): Promise<AgentKey | null>;
  /** Which of these keys there still are. */
  standing(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Destroys whatever key an agent has, durably, and answers its id; none for an agent without. */
  destroy(agentId: string): Promise<string[]>;
  /** Rejects, in plain words, when the keys cannot be read or were made with another PERSONAL_DATA_KEY. */
  check(): Promise<void>;
  close(): Promise<void>;
};

type Row = { keyId: string; agentId: string; wrapped: Buffer };

const columns = 'key_id AS "keyId", agent_id AS "agentId", wrapped_key AS wrapped';

/** Opens the key store in the schema `personal_data` of a Postgres. Nothing is connected before the first question. */
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
    // A key must be on disk before anything is sealed with it, and gone from there before anybody is told so.
    options: '-c synchronous_commit=on',
  });
  // A connection that breaks while idle is replaced by the pool; unheard, the event would end the process.
  pool.on('error', onError);

  const rows = async (name: string, text: string, values: unknown[]): Promise<Row[]> => {
    try {
      return (await pool.query<Row>({ name, text, values })).rows;
    } catch (error) {
      throw toKeyStoreError(error);
    }
  };
  const open = (row: WrappedKey | undefined): AgentKey | null =>
    row === undefined ? null : unwrapKey(wrappingKey, row);
  const ofAgent = async (agentId: string): Promise<AgentKey | null> =>
    open(
      (await rows('key-of-agent', `SELECT ${columns} FROM personal_data.agent_key WHERE agent_id = $1`, [agentId]))[0],
    );
  const make = async (agentId: string): Promise<AgentKey | null> => {
    const { keyId, wrapped } = wrapKey(wrappingKey, newAgentKey(agentId, randomUUID()));
    const [made] = await rows(
      'new-key',
      `INSERT INTO personal_data.agent_key (key_id, agent_id, wrapped_key) VALUES ($1, $2, $3)
        ON CONFLICT (agent_id) DO NOTHING RETURNING ${columns}`,
      [keyId, agentId, wrapped],
    );
    return open(made);
  };

  return {
    current: async (agentId) => {
      for (let attempt = 1; attempt <= keyStoreLimits.currentKeyAttemptsMax; attempt += 1) {
        // Whoever loses against another maker finds the other's key, unless that was destroyed in between.
        const key = (await ofAgent(agentId)) ?? (await make(agentId));
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
      open((await rows('any-key', `SELECT ${columns} FROM personal_data.agent_key LIMIT 1`, []))[0]);
    },
    close: () => pool.end(),
  };
}
