// Method: a real log in Postgres, and what a registry published of it earlier; then manipulations by the owner of the database, against every
// rule of the log: bits flipped in any column, events removed, inserted or cut off the end, the whole log forked, the checkpoint edited. Each
// must be detected with its place; the restored log must verify.
import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { openEventLog } from '@agent-trust/event-log';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { VerificationReport } from '../report/report.ts';
import { postgresLog } from '../sources/event-log.ts';
import { logSigner, type PublishedTree, publish } from '../testing/publish.ts';
import { type TamperedLog, tamperedLog } from '../testing/tampered-log.ts';
import type { TileStore } from '../tiles/tile-store.ts';
import { verifyLog } from './verify-log.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const events = 700;
let log: TamperedLog;
let published: PublishedTree;
/** Positions in order: the event at index i has positions[i]. */
let positions: string[];

beforeAll(async () => {
  log = await tamperedLog();
  await log.append(events);
  published = await publish(await log.leaves());
  positions = (await log.rows<{ position: string }>('select position from event_log.events order by 1')).map(
    ({ position }) => position,
  );
});
afterAll(() => log.drop());

type Given = { checkpoints?: string[]; tiles?: TileStore | null };

const verify = async ({ checkpoints, tiles = published.tiles }: Given = {}): Promise<VerificationReport> => {
  const source = postgresLog(log.url, await openEventLog(log.url));
  try {
    const { key } = await logSigner();
    const notes = (checkpoints ?? [await published.checkpoint()]).map((note, at) => ({
      source: `checkpoint ${at}`,
      note,
    }));
    return await verifyLog({ source, checkpoints: notes, trust: { logKey: key }, tiles });
  } finally {
    await source.close();
  }
};

/** Manipulates the log, verifies it, and restores the table. */
const tampering = async <Result>(tamper: () => Promise<unknown>, look: () => Promise<Result>): Promise<Result> => {
  await log.reach('create table event_log.kept as table event_log.events');
  try {
    await tamper();
    return await look();
  } finally {
    await log.reach('truncate event_log.events');
    await log.reach('insert into event_log.events select * from event_log.kept');
    await log.reach('drop table event_log.kept');
  }
};

describe('an unchanged log', () => {
  it('is verified, with and without tiles, and by each earlier checkpoint', async () => {
    const checkpoints = [await published.checkpoint(), await published.checkpoint(256), await published.checkpoint(0)];
    expect(await verify({ checkpoints })).toMatchObject({
      verified: true,
      findings: [],
      log: { events, last_position: positions.at(-1) },
    });
    expect(await verify({ tiles: null })).toMatchObject({ verified: true, findings: [], remarks: [] });
  });

  it('that has grown is reported as not covered beyond the checkpoint', async () => {
    expect(await verify({ checkpoints: [await published.checkpoint(650)] })).toMatchObject({
      verified: true,
      remarks: [expect.stringMatching(/^50 event\(s\).*from index 650/u)],
    });
  });

  it("is not verified by another log's checkpoint", async () => {
    const other = await publish([], await logSigner(2));
    expect(await verify({ checkpoints: [await other.checkpoint(0)] })).toMatchObject({
      verified: false,
      findings: [{ code: 'unknown_key' }],
    });
  });
});

const columns = ['data', 'metadata', 'type', 'stream', 'recorded_at', 'revision', 'event_id', 'position'] as const;

/** The text with one bit of one byte flipped, or null if the result is not UTF-8. */
const flipped = (text: string, seed: number): string | null => {
  const bytes = Buffer.from(text);
  const at = seed % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (Math.floor(seed / bytes.length) % 8));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

describe('one flipped bit of a stored event', () => {
  it('is detected in any column, wherever the database would store it', async () => {
    const rowsChanged = runs(30, 80);
    const found = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.nat(events - 1), fc.constantFrom(...columns), fc.nat(), async (index, column, seed) => {
        const position = positions[index];
        const [row] = await log.rows<{ text: string }>(
          `select ${column}::text as text from event_log.events where position = $1`,
          [position],
        );
        const text = flipped(row?.text ?? '', seed);
        fc.pre(text !== null && text !== row?.text);
        const type = {
          data: 'json',
          metadata: 'json',
          recorded_at: 'timestamptz',
          revision: 'bigint',
          event_id: 'uuid',
          position: 'bigint',
        };
        const set = `update event_log.events set ${column} = $2::${column in type ? type[column as keyof typeof type] : 'text'} where position = $1`;
        let stored = true;
        await tampering(
          async () => {
            stored = await log.reach(set, [position, text]).then(
              () => true,
              () => false,
            );
            // A spelling that the column does not keep ("+00" for "-00") does not change the stored value.
            const [now] = await log.rows<{ same: boolean }>(
              'select not exists (select position, event_id, stream, revision, type, data::text, metadata::text, recorded_at from event_log.events except select position, event_id, stream, revision, type, data::text, metadata::text, recorded_at from event_log.kept) as same',
            );
            stored &&= now?.same === false;
          },
          async () => {
            if (!stored) return;
            const [located, bare] = [await verify(), await verify({ tiles: null })];
            const said = JSON.stringify([column, text, located.findings]);
            // A changed position may move the event; every other change is reported at its own event.
            const isHere = located.findings.some((finding) => finding.index === index) || column === 'position';
            const isReported =
              /index \d+/u.test(located.findings[0]?.message ?? '') &&
              /index \d+/u.test(bare.findings.at(-1)?.message ?? '');
            expect([located.verified, bare.verified, isHere, isReported, said]).toEqual([
              false,
              false,
              true,
              true,
              said,
            ]);
            found.set(column, (found.get(column) ?? 0) + 1);
          },
        );
        fc.pre(stored);
      }),
      { numRuns: rowsChanged, maxSkipsPerRun: 200 },
    );
    expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(rowsChanged);
    expect(found.size).toBeGreaterThanOrEqual(5);
  });

  it('is detected even if the value stays the same: the stored text is not what a registry writes', async () => {
    const [position, index] = [positions[300], 300];
    const changes = [
      `replace(data::text, '"score":', '"score": ')`,
      `replace(data::text, 'agent-', '\\u0061gent-')`,
      `replace(data::text, '"text"', '"contact":null,"text"')`,
    ];
    for (const change of changes) {
      const report = await tampering(
        () => log.reach(`update event_log.events set data = (${change})::json where position = $1`, [position]),
        () => verify({ tiles: null }),
      );
      expect(report).toMatchObject({ verified: false, findings: [{ code: 'event_changed', index, position }] });
    }
  });

  it('in several events is reported for each, up to a limit', async () => {
    const report = await tampering(
      () => log.reach(`update event_log.events set type = type || 'x' where revision in (5, 255, 256, 600)`),
      verify,
    );
    expect(report.findings.map(({ code, index }) => [code, index])).toEqual(
      [5, 255, 256, 600].map((index) => ['event_changed', index]),
    );
    const all = await tampering(() => log.reach(`update event_log.events set type = 'x'`), verify);
    expect(all.findings).toHaveLength(20);
    expect(all.findings_left_out).toBe(680);
  });
});

describe('a log with removed or inserted events', () => {
  it.each([1, 7, 250])('%i removed at the end: reports where it ends', async (count) => {
    const look = async (): Promise<VerificationReport[]> => [await verify(), await verify({ tiles: null })];
    const reports = await tampering(
      () => log.reach('delete from event_log.events where revision >= $1', [events - count]),
      look,
    );
    for (const report of reports) {
      expect(report.verified).toBe(false);
      expect(report.findings).toEqual([
        expect.objectContaining({
          code: 'log_truncated',
          index: events - count,
          position: positions[events - count - 1],
          count,
          message: expect.stringMatching(
            new RegExp(`ends before index ${events - count}, behind position`, 'u'),
          ) as string,
        }),
      ]);
    }
  });

  it.each([
    [0, 1],
    [100, 1],
    [254, 5],
    [690, 9],
    [698, 1],
  ])('from index %i on, %i removed in the middle: reports the events around them', async (index, count) => {
    const report = await tampering(
      () => log.reach('delete from event_log.events where revision >= $1 and revision < $2', [index, index + count]),
      verify,
    );
    expect(report).toMatchObject({ verified: false, findings: [{ code: 'event_missing', index, count }] });
    expect(report.findings).toHaveLength(1);
  });

  it.each([
    [400, 2],
    [0, 1],
    [255, 3],
  ])('at index %i, %i inserted: reports the place', async (index, count) => {
    const before = await publish((await log.leaves()).toSpliced(index, count));
    const report = await verify({ checkpoints: [await before.checkpoint()], tiles: before.tiles });
    expect(report).toMatchObject({
      verified: false,
      findings: [{ code: 'event_added', index, count, position: positions[index] }],
    });
    expect(report.findings).toHaveLength(1);
  });

  it('with all events removed: an empty log is not one of 700 events', async () => {
    const report = await tampering(() => log.reach('truncate event_log.events'), verify);
    expect(report).toMatchObject({ verified: false, findings: [{ code: 'log_truncated', index: 0, count: events }] });
  });
});

describe('a forked log', () => {
  it('is reported between two sizes, and with tiles at an event, even if the published files were forged with it', async () => {
    await tampering(
      async () => {
        await log.reach('delete from event_log.events where revision >= 500');
        await log.append(300);
      },
      async () => {
        const fork = await publish(await log.leaves());
        const kept = [await published.checkpoint(300), await published.checkpoint(650)];

        const alone = await verify({ checkpoints: kept, tiles: null });
        expect(alone.findings).toMatchObject([{ code: 'log_differs', from_size: 300, to_size: 650 }]);

        const withTheFork = await verify({ checkpoints: [...kept, await fork.checkpoint()], tiles: fork.tiles });
        expect(withTheFork.verified).toBe(false);
        expect(withTheFork.findings).toMatchObject([{ code: 'log_forked', from_size: 300, to_size: 650 }]);
        expect(withTheFork.findings[0]?.message).toMatch(/forked between size 300 and size 650/u);
        expect(withTheFork.remarks.join(' ')).toMatch(/not those of checkpoint 1 \(size 650\)/u);

        const byTheOldTiles = await verify({ checkpoints: [...kept, await fork.checkpoint()] });
        expect(byTheOldTiles.findings[0]).toMatchObject({ code: 'log_forked', from_size: 300, to_size: 650 });
        expect(byTheOldTiles.findings[1]).toMatchObject({ code: 'event_changed', index: 500 });

        const twoViews = await verify({ checkpoints: [await fork.checkpoint(650), await published.checkpoint(650)] });
        expect(twoViews.findings.map(({ code }) => code)).toContain('split_view');

        expect(await verify({ checkpoints: [await fork.checkpoint()], tiles: fork.tiles })).toMatchObject({
          verified: true,
        });
      },
    );
  });
});

describe('an edited checkpoint', () => {
  const edited = async (edit: (note: string) => string, tiles: TileStore | null = null): Promise<unknown> => {
    const { verified, findings } = await verify({ checkpoints: [edit(await published.checkpoint())], tiles });
    return [verified, findings.map(({ code, line, message }) => [code, line, message])];
  };
  const one = (code: string, line: number, says: RegExp): unknown => [
    false,
    [[code, line, expect.stringMatching(says) as string]],
  ];

  it('is reported with the edited line', async () => {
    expect(await edited((note) => note.replace('registry', 'Registry'))).toEqual(
      one('wrong_signature', 1, /origin was edited/u),
    );
    expect(await edited((note) => note.replace('\n700\n', '\n650\n'))).toEqual(
      one('wrong_signature', 2, /says 650, and 700 was signed/u),
    );
    expect(await edited((note) => note.replace('\n700\n', '\n7000\n'))).toEqual(
      one('wrong_signature', 2, /says 7000, and 700 was signed/u),
    );
    const root = (note: string): string => note.split('\n')[2] ?? '';
    const flip = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    expect(await edited((note) => note.replace(root(note), flip(root(note))))).toEqual(
      one('wrong_signature', 3, /root hash was edited/u),
    );
    expect(await edited((note) => note.replace('\n\n', '\nmore\n\n'))).toEqual(
      one('wrong_signature', 4, /put in behind the root/u),
    );
    expect(await edited((note) => note.replace(/.(?==+\n$)/u, (last) => (last === '0' ? '4' : '0')))).toEqual([
      false,
      [expect.arrayContaining([5]) as unknown],
    ]);
    expect(await edited((note) => note.replace(/.(?=.{10}\n$)/u, '-'))).toEqual(
      one('malformed_note', 5, /not standard base64/u),
    );
    expect(await edited((note) => note.replace(/\n700\n/u, '\n0700\n'))).toEqual([
      false,
      [expect.arrayContaining(['wrong_signature']) as unknown],
    ]);
    expect(await edited((note) => note.replace('— registry', '— Registry'))).toEqual([
      false,
      [expect.arrayContaining(['unknown_key']) as unknown],
    ]);
  });

  it('is detected in every byte', async () => {
    const note = await published.checkpoint();
    await fc.assert(
      fc.asyncProperty(fc.nat(Buffer.byteLength(note) * 8 - 1), async (bit) => {
        const bytes = Buffer.from(note);
        bytes[Math.floor(bit / 8)] = (bytes[Math.floor(bit / 8)] ?? 0) ^ (1 << (bit % 8));
        const report = await verify({ checkpoints: [new TextDecoder().decode(bytes)], tiles: null });
        expect(report.verified).toBe(false);
        expect(report.findings).toHaveLength(1);
        expect(report.findings[0]?.message).toMatch(/^checkpoint 0: /u);
      }),
      { numRuns: runs(25, 60) },
    );
  });
});
