import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { type EventLog, openEventLog, openLogRetention, type RecordedEvent } from '@agent-trust/event-log';
import {
  hashOfPositions,
  packExchanges,
  packLeaves,
  segmentNameOf,
  segmentPath,
  writeSegment,
} from '@agent-trust/log-archive';
import { leafHash, logEntryOf } from '@agent-trust/transparency-log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerificationReport } from '../report/report.ts';
import { eventLogSource } from '../sources/event-log.ts';
import { logSigner, publish } from '../testing/publish.ts';
import { tamperedLog, type TamperedLog } from '../testing/tampered-log.ts';
import { verifyLog } from './verify-log.ts';

/*
 * Bug: a log with archived events does not verify, or verifies although an event, a kept leaf or a segment was changed.
 * Method: a log that was published whole, and of which every second exchange then leaves, in two segments.
 */
let log: TamperedLog;
let open: EventLog;
let folder: string;
let published: Awaited<ReturnType<typeof publish>>;
let segments: string[];
let hot: RecordedEvent[];

const archive = async (events: readonly RecordedEvent[]): Promise<string> => {
  const positions = events.map(({ position }) => position);
  const [first = 0n, last = 0n] = [positions[0], positions.at(-1)];
  const segment = segmentNameOf(first, last);
  const file = await writeSegment(
    segmentPath(folder, segment),
    events.map((event) => ({
      event,
      leafIndex: Number(event.position) - 1,
      hash: leafHash(logEntryOf(event)),
    })),
  );
  const leaves = events.map((event) => ({
    position: event.position,
    eventId: event.eventId,
    hash: leafHash(logEntryOf(event)),
  }));
  const at = '2026-01-01T00:00:00.000Z';
  const data = {
    segment,
    ...file,
    eventCount: events.length,
    exchangeCount: events.length,
    firstPosition: String(first),
    lastPosition: String(last),
    completeUpTo: String(last),
    endedFrom: at,
    endedTo: at,
    positionsSha256: hashOfPositions(positions),
    agentIds: [],
    exchanges: packExchanges([], []),
    leaves: packLeaves(leaves),
    archivedAt: at,
  };
  const record = { eventId: randomUUID(), type: 'ExchangesArchived', data, metadata: { schemaVersion: 1 } };
  const { position: recordPosition } = await open.append('log-archive', [record], { expectedRevision: 'any' });
  const retention = await openLogRetention(log.url);
  await retention.remove(
    { recordPosition, positions },
    events.map(({ stream }) => stream),
  );
  await retention.close();
  return segment;
};

beforeAll(async () => {
  log = await tamperedLog();
  open = await openEventLog(log.url);
  folder = await mkdtemp(join(tmpdir(), 'segments-'));
  for (let n = 0; n < 600; n += 1) {
    const event = { eventId: randomUUID(), type: 'ExchangeStarted', data: { n }, metadata: {} };
    await open.append(`exchange-${n}`, [event], { expectedRevision: 'no_stream' });
  }
  published = await publish(await log.leaves());
  const all = await open.readAll({ after: null, countMax: 1_000 });
  const leaving = all.filter((_, index) => index % 2 === 0 || (index > 200 && index < 300));
  const [one, two] = [leaving.slice(0, 120), leaving.slice(120)];
  segments = [await archive(one), await archive(two)];
  hot = await open.readAll({ after: null, countMax: 1_000 });
}, 60_000);
afterAll(async () => {
  await open.close();
  await log.drop();
  await rm(folder, { recursive: true, force: true });
});

const verify = async (given: { segments?: string } = {}): Promise<VerificationReport> => {
  const source = await eventLogSource(log.url);
  try {
    const { key } = await logSigner();
    const checkpoints = [{ source: 'checkpoint', note: await published.checkpoint() }];
    return await verifyLog({ source, checkpoints, trust: { logKey: key }, tiles: published.tiles, ...given });
  } finally {
    await source.close();
  }
};
const codesOf = ({ findings }: VerificationReport): string[] => findings.map(({ code }) => code);

test('verifies by the leaves that the log keeps, and says what it could not verify', async () => {
  const report = await verify();
  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({ verified: true, log: { events: 602 } });
  expect(hot.length).toBeLessThan(300);
  expect(report.remarks.join(' ')).toMatch(/350 event\(s\) in 2 segment\(s\) were archived: .*not by themselves/u);
});

test('verifies the events of the segments, too', async () => {
  const report = await verify({ segments: folder });
  expect(report.verified).toBe(true);
  expect(report.remarks.join(' ')).toMatch(/verified event by event/u);
});

test('finds a segment that was changed or is missing', async () => {
  const path = segmentPath(folder, segments[1] ?? '');
  const bytes = await readFile(path);
  try {
    await writeFile(path, bytes.subarray(0, -1));
    expect(codesOf(await verify({ segments: folder }))).toEqual(['segment_differs']);
    await rm(path);
    const report = await verify({ segments: folder });
    expect([codesOf(report), report.verified]).toEqual([['segment_differs'], false]);
  } finally {
    await writeFile(path, bytes);
  }
});

test('finds an event that left the log without a record, and one that was changed', async () => {
  const [first, second] = hot;
  await log.reach('create table event_log.kept as table event_log.events');
  try {
    await log.reach('delete from event_log.events where position = $1', [String(first?.position)]);
    expect((await verify()).findings).toEqual([expect.objectContaining({ code: 'event_missing', index: 1 })]);
    await log.reach(`update event_log.events set type = 'ExchangeFailed' where position = $1`, [
      String(second?.position),
    ]);
    expect((await verify()).verified).toBe(false);
  } finally {
    await log.reach('truncate event_log.events');
    await log.reach('insert into event_log.events select * from event_log.kept');
    await log.reach('drop table event_log.kept');
  }
  expect((await verify()).verified).toBe(true);
});
