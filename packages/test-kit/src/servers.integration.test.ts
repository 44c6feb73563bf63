import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { faultProxy } from './fault-proxy.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { waitFor } from './wait-for.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

describe('the servers of a test run', () => {
  it('have Postgres 18 and a separate database for each file', async () => {
    const other = await createTestDatabase();
    await query(database.url, 'CREATE TABLE seen (n int)');
    expect(
      await query(
        other.url,
        "SELECT to_regclass('seen')::text AS seen, current_setting('server_version_num')::int / 10000 AS major",
      ),
    ).toEqual([{ seen: null, major: 18 }]);
    await other.drop();
  });

  it('have a nats-server with JetStream', async () => {
    const { hostname, port } = new URL(inject('natsUrl'));
    const socket = connect({ host: hostname, port: Number(port) });
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(JSON.parse(greeting.toString().replace(/^INFO /, ''))).toMatchObject({ jetstream: true });
  });
});

describe('fault proxy', () => {
  it('forwards, stalls, resumes and cuts connections to a real server', async () => {
    const proxy = await faultProxy(database.url);
    const client = new pg.Client({ connectionString: proxy.url });
    const lost = new Promise<Error>((resolve) => client.on('error', resolve));
    await client.connect();
    expect((await client.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);

    proxy.stall();
    let answered = false;
    const held = client.query('SELECT 2 AS n').then((result) => {
      answered = true;
      return result.rows;
    });
    expect(await query(database.url, 'SELECT 3 AS n')).toEqual([{ n: 3 }]);
    expect(answered).toBe(false);
    proxy.resume();
    expect(await held).toEqual([{ n: 2 }]);

    proxy.cut();
    expect((await lost).message).toMatch(/ECONNRESET|terminated/);
    await waitFor(() => proxy.connections().open === 0);

    proxy.refuse();
    await expect(query(proxy.url, 'SELECT 1')).rejects.toThrow(/ECONNRESET|terminated/);
    proxy.accept();
    expect(await query(proxy.url, 'SELECT 4 AS n')).toEqual([{ n: 4 }]);
    await proxy.close();
  });
});
