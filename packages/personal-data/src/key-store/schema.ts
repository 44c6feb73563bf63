import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { keyStoreLimits } from './limits.ts';

export type PersonalDataAccess = {
  /** Database roles that create and destroy keys. */
  writers: readonly string[];
  /** Database roles that only read them. */
  readers: readonly string[];
};

/**
 * Creates the schema `personal_data` if it is missing, and gives existing database roles their rights and no others: no role may change a key.
 * Running it again is harmless.
 */
export async function preparePersonalData(
  ownerUrl: string,
  { writers, readers }: PersonalDataAccess = { writers: [], readers: [] },
): Promise<void> {
  const schema = await readFile(new URL('schema.sql', import.meta.url), 'utf8');
  const grants = [...new Set([...writers, ...readers])].map((role) => {
    const name = pg.escapeIdentifier(role);
    return `REVOKE ALL ON personal_data.agent_key FROM ${name};
      REVOKE ALL ON SCHEMA personal_data FROM ${name};
      GRANT USAGE ON SCHEMA personal_data TO ${name};
      GRANT ${writers.includes(role) ? 'SELECT, INSERT, DELETE' : 'SELECT'} ON personal_data.agent_key TO ${name};`;
  });
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: keyStoreLimits.connectTimeoutMs,
  });
  // A broken connection fails the running query; its error event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Two processes that prepare one database at the same time would conflict on CREATE.
    const turn = "SELECT pg_advisory_xact_lock(hashtext('personal_data'))";
    await client.query(`BEGIN; ${turn}; ${schema}; ${grants.join('\n')} COMMIT`);
  } finally {
    await client.end();
  }
}
