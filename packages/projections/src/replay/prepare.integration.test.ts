import { waitFor } from '@agent-trust/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadModel } from '../projection.ts';
import { startRunner } from '../runner.ts';
import { appendHistory, type BankEvent, bankReadModel } from '../testing/bank.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { prepareReadModel } from './prepare.ts';
import type { ReplayOptions } from './replay.ts';

/*
 * Bugs: a read model is served with the tables of another version; it is rebuilt twice, or never; an instance of the older version writes
 * its own form of a row into the new tables.
 */
let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(() => fixture.close());

/** The bank with another schema: movements have an additional column. */
const newerBank = async (): Promise<ReadModel<BankEvent>> => {
  const readModel = await bankReadModel();
  const sql = `${readModel.schema.sql}; ALTER TABLE movement ADD COLUMN note text`;
  return { ...readModel, schema: { sql, fingerprint: 'newer' } };
};
const prepare = async (options: Partial<ReplayOptions<BankEvent>> = {}): Promise<void> =>
  prepareReadModel({
    connection: fixture.connection,
    schema: 'read_models',
    log: fixture.log,
    readModel: await newerBank(),
    ...options,
  });
const follow = (readModel: ReadModel<BankEvent>): ReturnType<typeof startRunner> =>
  startRunner({
    connection: fixture.connection,
    schema: 'read_models',
    log: fixture.log,
    readModel,
    standbyPollMs: 20,
    retryBackoff: { firstMs: 5, longestMs: 20 },
  });
const build = async (): Promise<{ oid: number; columns: number; fingerprint: string }> => {
  const [found] = await fixture.query<{ oid: number; columns: number; fingerprint: string }>(
    `SELECT to_regnamespace('read_models')::oid::int AS oid, c.schema_fingerprint AS fingerprint,
       (SELECT count(*)::int FROM pg_attribute WHERE attrelid = 'read_models.movement'::regclass AND attnum > 0) AS columns
     FROM read_models.projection_checkpoint c`,
  );
  if (found === undefined) throw new Error('no checkpoint');
  return found;
};
const rowsOf = () => fixture.query('SELECT position, account_id, change FROM read_models.movement ORDER BY position');

describe('preparing a read model', () => {
  it('creates missing tables and keeps current ones', async () => {
    await fixture.query('CREATE SCHEMA elsewhere');
    await prepare({ schema: 'elsewhere' });
    expect(await fixture.query(`SELECT to_regclass('elsewhere.movement') IS NOT NULL AS made`)).toEqual([
      { made: true },
    ]);
    const before = await build();
    await prepare({ readModel: await bankReadModel() });
    expect(await build()).toEqual(before);
  });

  it('replaces an outdated schema by a replay of the whole log, and reports its progress', async () => {
    await appendHistory(fixture.log, 0, 300);
    const runner = follow(await bankReadModel());
    await waitFor(() => runner.status().position !== null);
    await waitFor(async () => (await rowsOf()).length > 250);
    await runner.stop();
    const before = { ...(await build()), rows: await rowsOf() };
    const events: number[] = [];
    await prepare({ onProgress: (progress) => events.push(progress.events) });
    expect(await build()).toMatchObject({ columns: before.columns + 1, fingerprint: 'newer' });
    expect(await rowsOf()).toEqual(before.rows);
    expect(events.at(-1)).toBe(300);
    const again = await build();
    await prepare();
    expect(await build()).toEqual(again);
  });

  it('rebuilds a schema without a fingerprint', async () => {
    await appendHistory(fixture.log, 0, 50);
    await fixture.query('ALTER TABLE read_models.projection_checkpoint DROP COLUMN schema_fingerprint');
    await prepare({ readModel: await bankReadModel() });
    expect((await rowsOf()).length).toBeGreaterThan(40);
  });

  it('happens once for several processes that start together, and all of them wait for it', async () => {
    await appendHistory(fixture.log, 0, 500);
    let builds = 0;
    const onProgress: ReplayOptions<BankEvent>['onProgress'] = ({ phase, events }) => {
      if (phase === 'build' && events === 0) builds += 1;
    };
    await Promise.all(Array.from({ length: 4 }, () => prepare({ onProgress })));
    expect(builds).toBe(1);
    expect((await rowsOf()).length).toBeGreaterThan(400);
  });

  it('starts again after an interrupted build, which left the live schema unchanged', async () => {
    await appendHistory(fixture.log, 0, 400);
    const before = await build();
    const stopping = new AbortController();
    const interrupted = prepare({ signal: stopping.signal, onProgress: () => stopping.abort() });
    await expect(interrupted).rejects.toThrow(/abort/i);
    expect(await build()).toEqual(before);
    await prepare();
    expect(await build()).toMatchObject({ fingerprint: 'newer' });
    expect(await fixture.query(`SELECT 1 FROM pg_namespace WHERE nspname LIKE 'read_models_%'`)).toEqual([]);
  });

  it('works beside an instance of the older version, which then writes nothing more', async () => {
    const old = follow(await bankReadModel());
    const position = await appendHistory(fixture.log, 0, 300);
    await waitFor(() => old.status().position === position);
    await prepare();
    await appendHistory(fixture.log, 300, 10);
    await waitFor(() => old.status().error?.includes('another version') === true);
    const rows = await rowsOf();
    expect((await build()).fingerprint).toBe('newer');
    const current = follow(await newerBank());
    await waitFor(async () => (await rowsOf()).length > rows.length);
    await Promise.all([old.stop(), current.stop()]);
  });
});
