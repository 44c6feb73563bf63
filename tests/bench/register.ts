import type { Stack } from '@agent-trust/dev-stack';
import pg from 'pg';
import { Pool } from 'undici';
import { createOrganisation, orgKey, unique } from '../support/registry.ts';
import { loop, quantile } from './load.ts';

export const registerWorkers = [16, 64] as const;
/** Connections for the rows that are compared: Postgres has a hundred, which the services share. */
const ceilingConnections = 16;
const registrationsBefore = 200;

type Rate = { perSecond: number; done: number };
export type RegisterBench = {
  /** By registrations at once; `ceiling` are durable INSERTs in as many loops. */
  at: Record<(typeof registerWorkers)[number], { ours: Rate; ceiling: Rate }>;
  alone: { p50: number; p99: number };
  /** All acknowledged registrations. */
  done: number;
};

/** POST /register, compared with one durable INSERT of a row of the same size through `pg`; and one registration after another. */
export async function benchRegister(stack: Stack, databaseUrl: string, seconds: number): Promise<RegisterBench> {
  const { key } = await createOrganisation(stack);
  const headers = { 'content-type': 'application/json', ...orgKey(key) };
  const registration = {
    capabilities: ['price_quote'],
    endpoint_url: 'http://127.0.0.1:1/',
    specialty: 'A benchmark agent',
  };
  const client = new Pool(stack.url, { connections: Math.max(...registerWorkers) });
  const database = new pg.Pool({ connectionString: databaseUrl, max: ceilingConnections });
  let done = 0;
  const register = async (): Promise<void> => {
    const body = JSON.stringify({ ...registration, agent_id: unique('bench') });
    const response = await client.request({ path: '/register', method: 'POST', headers, body });
    const text = await response.body.text();
    if (response.statusCode !== 201) throw new Error(`register returned ${response.statusCode}: ${text}`);
    done += 1;
  };
  const row = JSON.stringify({ ...registration, filler: 'x'.repeat(600) });
  const insert = async (): Promise<void> => {
    await database.query('INSERT INTO bench.single_row VALUES ($1, $2)', [unique('row'), row]);
  };
  try {
    await database.query('CREATE SCHEMA IF NOT EXISTS bench');
    await database.query('CREATE TABLE IF NOT EXISTS bench.single_row (id text PRIMARY KEY, body json NOT NULL)');
    for (let index = 0; index < registrationsBefore; index += 1) await register();
    const at = {} as RegisterBench['at'];
    for (const workers of registerWorkers) {
      const ceiling = await loop(workers, seconds, insert);
      at[workers] = { ours: await loop(workers, seconds, register), ceiling };
    }
    // Last, when the code on its path is compiled.
    const took: number[] = [];
    await loop(1, seconds, async () => {
      const startedAt = performance.now();
      await register();
      took.push(performance.now() - startedAt);
    });
    return { at, alone: { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }, done };
  } finally {
    await database.query('DROP SCHEMA IF EXISTS bench CASCADE');
    await database.end();
    await client.close();
  }
}
