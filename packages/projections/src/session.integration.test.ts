/**
 * Bugs: of statements sent together, some take effect although one failed; the error of a consequence hides its cause; a session stays inside
 * a failed transaction; a query is sent on a connection without pipelining while another one is under way, which pg will refuse.
 */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWriterSession, together, transact } from './session.ts';
import { createFixture, type Fixture } from './testing/fixture.ts';

let fixture: Fixture;
let client: pg.Client;
beforeAll(async () => {
  fixture = await createFixture();
  client = await openWriterSession(fixture.connection, 'public');
  await client.query('CREATE TABLE note (id int PRIMARY KEY)');
});
afterAll(async () => {
  await client.end();
  await fixture.close();
});

const insert = (id: number) => ({ name: 'insert-note', text: 'INSERT INTO note VALUES ($1)', values: [id] });
const notes = async (): Promise<number[]> =>
  (await client.query<{ id: number }>('SELECT id FROM note ORDER BY id')).rows.map(({ id }) => id);

describe('statements sent together', () => {
  it('all take effect', async () => {
    await transact(client, [insert(1), insert(2)]);
    expect(await notes()).toEqual([1, 2]);
  });

  it('have no effect if one of them fails, and the error is the first', async () => {
    const fails = { text: 'SELECT 1 / $1::int', values: [0] };
    await expect(transact(client, [insert(3), fails, insert(1), insert(4)])).rejects.toMatchObject({ code: '22012' });
    expect(await notes()).toEqual([1, 2]);
  });

  it('can be followed by others after a failure', async () => {
    await transact(client, [insert(5)]);
    expect(await notes()).toEqual([1, 2, 5]);
    expect(client.getTransactionStatus()).toBe('I');
  });
});

describe('queries that need nothing of each other', () => {
  it.each([
    { pipeline: true, underWayMax: 3 },
    { pipeline: false, underWayMax: 1 },
  ])('are under way together only on a pipelined connection: %j', async ({ pipeline, underWayMax }) => {
    const session = await openWriterSession(fixture.connection, 'public', undefined, { pipeline });
    const [answers, counts]: [number[], number[]] = [[], []];
    let underWay = 0;
    try {
      await together(
        session,
        [1, 2, 3].map((value) => async () => {
          counts.push((underWay += 1));
          const { rows } = await session.query<{ value: number }>('SELECT $1::int AS value', [value]);
          underWay -= 1;
          answers.push(...rows.map((row) => row.value));
        }),
      );
    } finally {
      await session.end();
    }
    expect([answers, Math.max(...counts)]).toEqual([[1, 2, 3], underWayMax]);
  });

  it.each([true, false])('fail with the error of the one that failed, pipelined: %j', async (pipeline) => {
    const session = await openWriterSession(fixture.connection, 'public', undefined, { pipeline });
    try {
      const fails = async (): Promise<void> => void (await session.query('SELECT 1 / $1::int', [0]));
      const works = async (): Promise<void> => void (await session.query('SELECT 1'));
      await expect(together(session, [works, fails, works])).rejects.toMatchObject({ code: '22012' });
    } finally {
      await session.end();
    }
  });
});
