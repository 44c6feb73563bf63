import type { Stack } from '@agent-trust/dev-stack';
import pg from 'pg';
import { createOrganisation, httpTo, orgKey, unique } from '../support/registry.ts';
import { loop } from './load.ts';

export const registerWorkers = 16;

/** POST /register, compared with one durable INSERT of a row of the same size through `pg`, in as many loops at once. */
export async function benchRegister(
  stack: Stack,
  databaseUrl: string,
  seconds: number,
): Promise<{ ours: { perSecond: number; done: number }; ceiling: { perSecond: number; done: number } }> {
  const http = httpTo(stack.url);
  const { key } = await createOrganisation(stack);
  const registration = {
    capabilities: ['price_quote'],
    endpoint_url: 'http://127.0.0.1:1/',
    specialty: 'A benchmark agent',
  };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: registerWorkers });
  try {
    await pool.query('CREATE SCHEMA IF NOT EXISTS bench');
    await pool.query('CREATE TABLE IF NOT EXISTS bench.single_row (id text PRIMARY KEY, body json NOT NULL)');
    const row = JSON.stringify({ ...registration, filler: 'x'.repeat(600) });
    const ceiling = await loop(registerWorkers, seconds, async () => {
      await pool.query('INSERT INTO bench.single_row VALUES ($1, $2)', [unique('row'), row]);
    });
    const ours = await loop(registerWorkers, seconds, async () => {
      const { status, body } = await http.post(
        '/register',
        { ...registration, agent_id: unique('bench') },
        orgKey(key),
      );
      if (status !== 201) throw new Error(`register returned ${status}: ${JSON.stringify(body)}`);
    });
    return { ours, ceiling };
  } finally {
    await pool.query('DROP SCHEMA IF EXISTS bench CASCADE');
    await pool.end();
  }
}
