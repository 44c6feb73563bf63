import { openTestPool, waitFor } from '@agent-trust/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Runner, startRunner } from '../runner.ts';
import { appendHistory, type BankEvent, bankReadModel } from '../testing/bank.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { spawnBank } from '../testing/spawn-bank.ts';
import type { ReplayProgress } from './progress.ts';
import { ReplayInProgressError, type ReplayOptions, type ReplayReport, replayReadModel } from './replay.ts';

let fixture: Fixture;
let runner: Runner | null = null;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(async () => {
  await runner?.stop();
  runner = null;
  await fixture.close();
});

const replay = async (options: Partial<ReplayOptions<BankEvent>> = {}): Promise<ReplayReport> =>
  replayReadModel({
    connection: fixture.connection,
    schema: 'read_models',
    log: fixture.log,
    readModel: await bankReadModel(),
    ...options,
  });
const startLive = async (): Promise<Runner> => {
  const { connection, log } = fixture;
  const readModel = await bankReadModel();
  runner = startRunner({
    connection,
    schema: 'read_models',
    log,
    readModel,
    standbyPollMs: 20,
    retryBackoff: { firstMs: 5, longestMs: 10_000 },
  });
  return runner;
};
const livePosition = async (): Promise<bigint> => {
  const rows = await fixture.query<{ position: string | null }>(
    'SELECT position FROM read_models.projection_checkpoint',
  );
  return BigInt(rows[0]?.position ?? -1);
};
const reach = (position: bigint): Promise<boolean> => waitFor(async () => (await livePosition()) >= position);
const schemas = async (): Promise<string[]> => {
  const rows = await fixture.query<{ name: string }>(
    `SELECT nspname::text AS name FROM pg_namespace WHERE nspname LIKE 'read_models%' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

describe('a replay', () => {
  it('builds the same rows from event 0, compares all of them, switches and removes the old ones', async () => {
    await startLive();
    await reach(await appendHistory(fixture.log, 0, 900));
    const before = await fixture.bankRows('read_models');
    const reported: ReplayProgress[] = [];
    const report = await replay({
      batchEventsMax: 50,
      insertsMin: 120,
      rowsPerTableMax: 4,
      onProgress: (p) => reported.push(p),
    });
    const [{ n: rows } = { n: 0 }] = await fixture.query<{ n: number }>(
      `SELECT ((SELECT count(*) FROM read_models.account) + (SELECT count(*) FROM read_models.deposit)
        + (SELECT count(*) FROM read_models.movement) + (SELECT count(*) FROM read_models.audit))::int AS n`,
    );
    expect(report).toMatchObject({ switched: true, events: 900, position: await livePosition() });
    expect(report.comparison).toMatchObject({ rows, rowsDiffering: 0, differences: [] });
    expect(await fixture.bankRows('read_models')).toEqual(before);
    expect(await schemas()).toEqual(['read_models']);
    expect(new Set(reported.map(({ phase }) => phase))).toEqual(new Set(['build', 'compare', 'switch']));
    expect(reported.at(-1)).toMatchObject({ fraction: 1, events: 900, eventsTotal: 900, remainingMs: 0 });
  });

  // Bug: the runner's transaction, blocked by the switch, continues in the retired tables, or half in each; or events between comparison and
  // switch are lost. Method: append without pause during several replays, then compare with one more.
  it('loses nothing while events arrive; the live runner continues after the switch', async () => {
    await startLive();
    await reach(await appendHistory(fixture.log, 0, 400));
    let appending = true;
    const writer = (async () => {
      let position = 0n;
      for (let n = 400; appending; n += 10) {
        position = await appendHistory(fixture.log, n, 10);
        // At the pace of the live runner, because the log must not outgrow every replay of it.
        await reach(position);
      }
      return position;
    })();
    for (let round = 0; round < 4; round += 1) {
      expect(await replay({ batchEventsMax: 50, insertsMin: 90 })).toMatchObject({
        switched: true,
        comparison: { rowsDiffering: 0 },
      });
    }
    appending = false;
    await reach(await writer);
    const last = await replay();
    expect(last).toMatchObject({ switched: true, comparison: { rowsDiffering: 0 } });
    expect(last.comparison?.position).toBe(await writer);
  });

  it('works without a live runner, and on an empty log', async () => {
    expect(await replay()).toMatchObject({ switched: true, events: 0, position: null });
    const head = await appendHistory(fixture.log, 0, 100);
    expect(await replay()).toMatchObject({ switched: true, events: 100, position: head });
  });

  it('does not switch if a row differs, and shows the row', async () => {
    await startLive();
    await reach(await appendHistory(fixture.log, 0, 120));
    const [{ id } = { id: '' }] = await fixture.query<{ id: string }>(
      `UPDATE read_models.account SET total = total + 1 WHERE account_id = (SELECT min(account_id) FROM read_models.account)
       RETURNING account_id AS id`,
    );
    await fixture.query(
      'DELETE FROM read_models.movement WHERE position = (SELECT min(position) FROM read_models.movement)',
    );
    const report = await replay();
    expect(report).toMatchObject({ switched: false, comparison: { rowsDiffering: 2 } });
    const [account, movement] = report.comparison?.differences ?? [];
    expect(account).toMatchObject({ table: 'account', live: { account_id: id }, replayed: { account_id: id } });
    expect(Number(account?.live?.['total']) - Number(account?.replayed?.['total'])).toBe(1);
    expect(movement).toMatchObject({ table: 'movement', live: null });
    expect(await replay({ acceptDifferences: true })).toMatchObject({ switched: true });
    expect(await replay()).toMatchObject({ switched: true, comparison: { rowsDiffering: 0 } });
  });

  it('does not switch when what must hold during the switch is lost before its commit', async () => {
    await appendHistory(fixture.log, 0, 300);
    await startLive();
    await reach(299n);
    let asked = 0;
    let ended = 0;
    const generation = () => fixture.query('SELECT generation FROM read_models.projection_checkpoint');
    const before = await generation();
    const ensureHeld = () => ((asked += 1) === 1 ? Promise.resolve() : Promise.reject(new Error('lost')));
    const beforeSwitch = () => Promise.resolve({ ensureHeld, end: () => Promise.resolve(void (ended += 1)) });
    await expect(replay({ beforeSwitch })).rejects.toThrow('lost');
    expect([asked, ended, await generation()]).toEqual([2, 1, before]);
    expect((await replay()).switched).toBe(true);
  });

  it('skips tables that the read model excepts, and compares every other', async () => {
    await startLive();
    await reach(await appendHistory(fixture.log, 0, 120));
    const readModel = { ...(await bankReadModel()), notCompared: ['movement'] };
    await fixture.query('UPDATE read_models.account SET total = total + 1');
    await fixture.query('UPDATE read_models.movement SET change = change + 1');
    const differing = await replay({ readModel });
    expect(differing.switched).toBe(false);
    expect(differing.comparison?.tables.map(({ table }) => table)).toEqual(['account', 'audit', 'deposit']);
    await fixture.query('UPDATE read_models.account SET total = total - 1');
    expect(await replay({ readModel })).toMatchObject({ switched: true, comparison: { rowsDiffering: 0 } });
  });

  it('refuses a second replay of the same read model', async () => {
    await appendHistory(fixture.log, 0, 200);
    // Blocks the first one at its switch.
    const blocker = await fixture.connect();
    await blocker.query('BEGIN; SELECT 1 FROM read_models.projection_checkpoint FOR UPDATE');
    const reported: string[] = [];
    const first = replay({ onProgress: ({ phase }) => reported.push(phase) });
    await waitFor(() => reported.includes('switch'));
    await expect(replay()).rejects.toThrow(ReplayInProgressError);
    await blocker.query('COMMIT');
    expect(await first).toMatchObject({ switched: true });
  });

  it('killed halfway leaves the live read model unchanged, and its remains to the next replay', async () => {
    await startLive();
    await reach(await appendHistory(fixture.log, 0, 4000));
    const before = await fixture.bankRows('read_models');
    const child = await spawnBank('replay', fixture.url);
    await child.kill();
    expect(await schemas()).toEqual(['read_models', 'read_models_next']);
    expect(await fixture.bankRows('read_models')).toEqual(before);
    const position = await appendHistory(fixture.log, 4000, 10);
    await reach(position);
    await waitFor(async () => (await replay()).switched);
    expect(await schemas()).toEqual(['read_models']);
  });

  // Bug: a statement prepared before the switch reads the retired tables forever, or fails once they are dropped.
  it('takes effect for statements that were prepared before it', async () => {
    await startLive();
    await reach(await appendHistory(fixture.log, 0, 120));
    const pool = openTestPool({ connectionString: fixture.url, options: '-c search_path=read_models', max: 2 });
    const total = async (): Promise<number> => {
      const statement = {
        name: 'total',
        text: 'SELECT sum(total) AS n FROM account WHERE account_id >= $1',
        values: [''],
      };
      return (await pool.query<{ n: number }>(statement)).rows[0]?.n ?? 0;
    };
    // Often enough that the server chooses a generic plan.
    for (let n = 0; n < 12; n += 1) await total();
    const before = await total();
    await replay({ readModel: await bankReadModel({ factor: 2 }), acceptDifferences: true });
    expect(await total()).toBe(before * 2);
    await pool.end();
  });
});
