import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runs } from '@agent-trust/test-kit/runs';
import { type LogEntry, leafHash, toHex } from '@agent-trust/transparency-log';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerificationReport } from '../report/report.ts';
import { logSigner, type PublishedTree, publish } from '../testing/publish.ts';
import { type TileStore, tileStore } from '../tiles/tile-store.ts';
import { verifyLog } from '../verify/verify-log.ts';
import { exportFile } from './export-file.ts';

const entries: LogEntry[] = Array.from({ length: 600 }, (_, index) => ({
  position: String(index * 3 + 1),
  event_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  stream: 'agent-ä',
  revision: String(index),
  type: 'ExchangeReviewed',
  recorded_at: new Date(1_700_000_000_000 + index).toISOString(),
  metadata: { actor: { kind: 'agent', id: 'a' } },
  data: { score: index % 10, text: 'schön' },
}));
const lineOf = (entry: LogEntry, index: number): string =>
  JSON.stringify({ ...entry, leaf_index: String(index), leaf_hash: toHex(leafHash(entry)) });
const lines = entries.map(lineOf);
const end = JSON.stringify({ end_of_export: { events: entries.length, up_to_position: '1798' } });

let folder: string;
let published: PublishedTree;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'log-export-'));
  published = await publish(entries.map(leafHash));
  await published.writeTiles(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verify = async (text: string | Buffer, tiles: TileStore | null = null): Promise<VerificationReport> => {
  const path = join(folder, 'export.jsonl');
  writeFileSync(path, text);
  const checkpoints = [{ source: 'kept.txt', note: await published.checkpoint() }];
  return await verifyLog({ source: exportFile(path), checkpoints, trust: { logKey: (await logSigner()).key }, tiles });
};
const exported = (these: readonly string[], last = `${end}\n`): string =>
  these.map((line) => `${line}\n`).join('') + last;

describe('an export', () => {
  it('is verified if it is unchanged', async () => {
    expect(await verify(exported(lines))).toMatchObject({ verified: true, findings: [], remarks: [] });
    expect(await verify(exported(lines).replaceAll('\n', '\r\n'))).toMatchObject({ verified: true });
  });

  it('with a flipped bit is refused with the line, unless the event stays the same', async () => {
    const text = Buffer.from(exported(lines, ''));
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length * 8 - 1), async (bit) => {
        const bytes = Buffer.from(text);
        const at = Math.floor(bit / 8);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
        const line = text.subarray(0, at).toString('latin1').split('\n').length;
        const { verified, findings } = await verify(bytes);
        const [first] = findings;
        // A flipped line end joins two lines, and a new one splits a line: the fault is then at that line or the next.
        const found = first === undefined ? null : [line - 1, line].includes(first.index ?? -1);
        expect({ verified, found, findings }).toEqual({ verified: false, found: true, findings });
      }),
      { numRuns: runs(40, 150) },
    );
  });

  it('whose line was changed together with its hash is detected by the tiles, from a folder', async () => {
    const changed = { ...(entries[513] as LogEntry), type: 'ExchangeCompleted' };
    const text = exported(lines.with(513, lineOf(changed, 513)));
    expect((await verify(text)).findings).toMatchObject([{ code: 'log_differs', from_size: 0, to_size: 600 }]);
    expect((await verify(text, tileStore(folder))).findings).toMatchObject([
      { code: 'event_changed', index: 513, position: '1540', event_id: changed.event_id },
    ]);
  });

  it('with missing lines is refused with the place', async () => {
    const gap = (await verify(exported(lines.toSpliced(300, 4)))).findings;
    expect(gap).toMatchObject([{ code: 'event_missing', index: 300, count: 4, position: '913' }]);
    // Further faults are reported although lines are missing before them.
    const twoFaults = lines.with(500, (lines[500] ?? '').replace('"score":0', '"score":9')).toSpliced(20, 1);
    expect((await verify(exported(twoFaults))).findings).toMatchObject([
      { code: 'event_missing', index: 20, count: 1 },
      { code: 'event_changed', index: 499 },
    ]);
    const cut = await verify(exported(lines.slice(0, 580), ''));
    expect(cut.findings).toMatchObject([{ code: 'log_truncated', index: 580, position: '1738', count: 20 }]);
    expect(cut.remarks).toEqual([expect.stringMatching(/broke off/u)]);
    expect((await verify(exported(lines.slice(0, 580)))).remarks).toEqual([
      expect.stringMatching(/says that 600 events were written, and 580 are there/u),
    ]);
    const renumbered = entries.toSpliced(300, 4).map(lineOf);
    expect((await verify(exported(renumbered), tileStore(folder))).findings).toMatchObject([
      { code: 'event_missing', index: 300, count: 4 },
    ]);
  });

  it('with reordered or repeated lines is refused with the place', async () => {
    const swapped = lines.with(10, lines[11] ?? '').with(11, lines[10] ?? '');
    expect((await verify(exported(swapped))).findings[0]).toMatchObject({ index: 10 });
    const twice = lines.toSpliced(20, 0, lines[20] ?? '');
    const [repeated, ...more] = (await verify(exported(twice))).findings;
    expect(repeated).toMatchObject({ code: 'event_order', index: 21 });
    expect(more.map(({ code }) => code)).toEqual(['log_differs']);
    const renumbered = entries.toSpliced(20, 0, entries[20] as LogEntry).map(lineOf);
    expect((await verify(exported(renumbered))).findings[0]).toMatchObject({ code: 'event_order', index: 21 });
  });

  it.each(['not json', '[]', '{"position":"1"}', '{"position":1}', 'null'])(
    'with a line that is not an event is refused: %s',
    async (line) => {
      expect((await verify(exported(lines.with(7, line)))).findings[0]).toMatchObject({
        code: 'event_unreadable',
        index: 7,
      });
    },
  );
});
