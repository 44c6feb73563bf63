import { archiveStream, exchangeStream } from '@agent-trust/contracts';
import type { RecordedEvent } from '@agent-trust/event-log';
import {
  archiveRecords,
  readRecordedSegment,
  readSegments,
  SegmentError,
  segmentPath,
  unpackLeaves,
} from '@agent-trust/log-archive';
import { leafHash, logEntryOf, toHex } from '@agent-trust/transparency-log';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { merkleTreeIn } from '../../audit/merkle-tree/queries.ts';
import { appendHistory, makeHistory } from '../../testing/made-history.ts';
import { archiveExchanges, type ArchiveStep } from './archive-exchanges.ts';
import { archiveToolLimits } from './limits.ts';
import { removeSegmentAgain, restoreSegment } from './restore-segment.ts';
import { type FollowedLog, followedLog } from './testing/followed-log.ts';

/*
 * Bug: the command is killed, its disk damaged, or it runs twice at the same time, and an event is neither in the log nor in a segment, or counts twice.
 * Method: it is stopped before each of its steps, one after the other; after each stop every event must be found, and the next run must finish.
 */
const segmentExchangesMax = 10;
let it_: FollowedLog;
let before: RecordedEvent[];

beforeEach(async () => {
  it_ = await followedLog();
  await appendHistory(it_.log, makeHistory({ agents: 10, exchanges: 150, seed: 7 }));
  await it_.follow();
  before = await it_.events();
});
afterEach(() => it_.close());

const all = (): { endedBefore: Date; segmentExchangesMax: number } => ({
  endedBefore: new Date(Date.now() + 1_000),
  segmentExchangesMax,
});

const textOf = (event: RecordedEvent): string => `${event.position} ${toHex(leafHash(logEntryOf(event)))}`;

/** Every event that there ever was, from the log and from recorded segments; in both, it counts once. */
const found = async (): Promise<string[]> => {
  const events = new Set((await it_.events()).filter(({ stream }) => stream !== archiveStream).map(textOf));
  for await (const record of archiveRecords(it_.log))
    for (const { event } of await readRecordedSegment(it_.folder, record)) events.add(textOf(event));
  return [...events].sort();
};

const countsOf = async (): Promise<object[]> =>
  it_.readModels.query({
    text: 'SELECT agent_id, transaction_count, other_org_transaction_count, review_count, last_active FROM agent_standing ORDER BY 1',
    values: [],
  });

it('finishes after it was killed before any of its steps, and no event is ever lost', {
  timeout: 120_000,
}, async () => {
  const counts = await countsOf();
  const wanted = before.map(textOf).sort();
  let kills = 0;
  for (let step = 0; ; step += 1) {
    let steps = 0;
    const beforeStep = (_name: ArchiveStep): void => {
      steps += 1;
      // Each run gets one step further than the last one, and may finish at the end. The longest one finishes the removal that an earlier
      // run has left, writes all files that are written ahead, and appends a record.
      if (steps > 1 + (step % (archiveToolLimits.segmentsUnderWayMax + 2))) throw new Error('killed');
    };
    const outcome = await archiveExchanges(it_.parts, { ...all(), beforeStep }).catch((error: Error) => error.message);
    expect(await found()).toEqual(wanted);
    if (outcome !== 'killed') break;
    kills += 1;
    if (kills % 3 === 0) await it_.follow();
  }
  expect(kills).toBeGreaterThan(6);
  await it_.follow();
  expect(await countsOf()).toEqual(counts);
  const { segments } = await readSegments(it_.log);
  const left = (await it_.events()).filter(({ stream }) => stream.startsWith('exchange-'));
  const archived = segments.reduce((sum, { eventCount }) => sum + eventCount, 0);
  expect(archived).toBeGreaterThan(20);
  expect(left.length + archived).toBe(before.filter(({ stream }) => stream.startsWith('exchange-')).length);
  const tree = await merkleTreeIn(it_.record).head();
  expect(tree.frontier.size).toBe(before.length + segments.length);
});

it.each([1, 2, 4])(
  'finishes after it was killed in the middle of removal %i, with files written ahead',
  async (removal) => {
    const counts = await countsOf();
    const { retention } = it_.parts;
    let removals = 0;
    const isKilled = (): boolean => removals === removal;
    const killed = {
      ...retention,
      remove: async (...[record, streams]: Parameters<typeof retention.remove>) => {
        removals += 1;
        if (!isKilled()) return retention.remove(record, streams);
        await retention.remove(record, streams.slice(0, segmentExchangesMax / 2));
        throw new Error('killed');
      },
    };
    const beforeStep = (): void => {
      if (isKilled()) throw new Error('killed');
    };
    await expect(archiveExchanges({ ...it_.parts, retention: killed }, { ...all(), beforeStep })).rejects.toThrow(
      'killed',
    );
    expect(await found()).toEqual(before.map(textOf).sort());
    const { segments } = await readSegments(it_.log);
    expect(segments).toHaveLength(removal);
    expect((await readdir(it_.folder)).length).toBeGreaterThan(removal);
    // Of all records but the last, no event is left.
    const left = new Set((await it_.events()).map(({ position }) => position));
    const leftOf = async (): Promise<number[]> => {
      const counted: number[] = [];
      for await (const record of archiveRecords(it_.log))
        counted.push(unpackLeaves(record.leaves).filter(({ position }) => left.has(position)).length);
      return counted;
    };
    expect(await leftOf()).toEqual([...Array.from({ length: removal - 1 }, () => 0), segmentExchangesMax]);

    let finished = '';
    await archiveExchanges(it_.parts, {
      ...all(),
      onProgress: (progress) => {
        if (progress.phase === 'finished earlier run') finished = progress.segment;
      },
    });
    expect(finished).toBe(segments.at(-1)?.segment);
    expect(await found()).toEqual(before.map(textOf).sort());
    await it_.follow();
    expect(await countsOf()).toEqual(counts);
    const { segments: archived } = await readSegments(it_.log);
    expect((await readdir(it_.folder)).sort()).toEqual(archived.map(({ segment }) => `${segment}.jsonl.zst`).sort());
  },
);

it('writes files ahead, up to a limit, and appends no record while events of the one before are in the log', async () => {
  const happened: string[] = [];
  const numbers = new Map<string, number>();
  const note = (when: string) => (step: ArchiveStep) => {
    const name = `${step} ${when}`;
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    happened.push(`${name} ${number}`);
  };
  const { segments } = await archiveExchanges(it_.parts, {
    ...all(),
    beforeStep: note('begins'),
    afterStep: note('ended'),
  });
  expect(segments).toBeGreaterThan(archiveToolLimits.segmentsUnderWayMax);
  const placeOf = (name: string): number => happened.indexOf(name);
  for (let n = 1; n < segments; n += 1) {
    expect(placeOf(`append record begins ${n + 1}`)).toBeGreaterThan(placeOf(`remove events ended ${n}`));
    expect(placeOf(`write segment begins ${n + 1}`)).toBeLessThan(placeOf(`append record begins ${n}`));
  }
  for (let n = 1; n + archiveToolLimits.segmentsUnderWayMax <= segments; n += 1) {
    const farthest = n + archiveToolLimits.segmentsUnderWayMax;
    expect(placeOf(`write segment begins ${farthest}`)).toBeGreaterThan(placeOf(`remove events ended ${n}`));
  }
});

it('two runs at the same time archive each exchange once', async () => {
  const counts = await countsOf();
  const outcomes = await Promise.allSettled([archiveExchanges(it_.parts, all()), archiveExchanges(it_.parts, all())]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  await archiveExchanges(it_.parts, all());
  await it_.follow();
  expect(await countsOf()).toEqual(counts);
  const ids: string[] = [];
  for await (const record of archiveRecords(it_.log))
    ids.push(...(await readRecordedSegment(it_.folder, record)).map(({ event }) => event.eventId));
  expect(new Set(ids).size).toBe(ids.length);
  expect(await found()).toEqual(before.map(textOf).sort());
});

it('an exchange that is reviewed between its record and its removal stays in the log, counts and is shown', async () => {
  const counts = await countsOf();
  const reviewed = before.find(
    ({ type, stream }) =>
      type === 'ExchangeCompleted' && !before.some((one) => one.stream === stream && one.type === 'ExchangeReviewed'),
  );
  const review = before.find(({ type }) => type === 'ExchangeReviewed');
  if (reviewed === undefined || review === undefined) throw new Error('no such exchange');
  const { transactionId, callerAgentId, receiverAgentId, universe } = reviewed.data;
  let isWritten = false;
  const beforeStep = (): void => undefined;
  const { retention } = it_.parts;
  const late = {
    ...retention,
    remove: async (...args: Parameters<typeof retention.remove>) => {
      if (!isWritten && args[1].includes(reviewed.stream)) {
        isWritten = true;
        const data = { ...review.data, transactionId, callerAgentId, receiverAgentId, universe } as typeof review.data;
        const event = { eventId: randomUUID(), type: review.type, data, metadata: review.metadata };
        await it_.log.append(exchangeStream(transactionId as string), [event], { expectedRevision: 1n });
      }
      return retention.remove(...args);
    },
  };
  const report = await archiveExchanges({ ...it_.parts, retention: late }, { ...all(), beforeStep });
  expect(report.kept).toBe(1);
  expect(await it_.log.readStream(reviewed.stream)).toHaveLength(3);
  await it_.follow();
  const after = await countsOf();
  expect(after).not.toEqual(counts);
  const withoutReviews = (rows: object[]): object[] =>
    rows.map((row) => ({ ...row, reviewCount: 0, lastActive: null }));
  expect(withoutReviews(after)).toEqual(withoutReviews(counts));
});

describe('a segment', () => {
  const firstSegment = async (): Promise<string> => (await readSegments(it_.log)).segments[0]?.segment ?? '';

  it('is restored byte by byte, and leaves the log again', async () => {
    const counts = await countsOf();
    await archiveExchanges(it_.parts, all());
    const segment = await firstSegment();
    const left = (await it_.events()).length;
    const restored = await restoreSegment(it_.parts, segment);
    expect(restored).toBe(2 * segmentExchangesMax);
    expect(await restoreSegment(it_.parts, segment)).toBe(0);
    const now = new Map((await it_.events()).map((event) => [event.position, event]));
    const again = before.filter(({ position }) => now.has(position));
    expect(again.length).toBeGreaterThan(restored);
    for (const event of again)
      expect(JSON.stringify(textAndAll(now.get(event.position)))).toBe(JSON.stringify(textAndAll(event)));
    // It was archived and counted: a later run must do neither again.
    const report = await archiveExchanges(it_.parts, all());
    expect(report.exchanges).toBe(0);
    await it_.follow();
    expect(await countsOf()).toEqual(counts);
    expect(await removeSegmentAgain(it_.parts, segment)).toBe(segmentExchangesMax);
    // The records of the restoring and the removing.
    expect((await it_.events()).length).toBe(left + 2);
    expect((await readSegments(it_.log)).segments[0]?.state).toBe('archived');
    await it_.follow();
    await it_.rebuildRecord();
    expect((await merkleTreeIn(it_.record).head()).frontier.size).toBe(before.length + (await recordsIn()));
  });

  it.each([
    ['a changed byte', (bytes: Buffer) => bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte))],
    ['a missing end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9)],
  ])('with %s is neither restored nor a reason to remove anything', async (_, damage) => {
    await archiveExchanges(it_.parts, all());
    const segment = await firstSegment();
    await restoreSegment(it_.parts, segment);
    const path = segmentPath(it_.folder, segment);
    await writeFile(path, damage(await readFile(path)));
    const events = (await it_.events()).length;
    await expect(removeSegmentAgain(it_.parts, segment)).rejects.toThrow(SegmentError);
    await expect(restoreSegment(it_.parts, segment)).rejects.toThrow(SegmentError);
    expect((await it_.events()).length).toBe(events);
  });

  it('of an event that is not the one of the tree is not archived', async () => {
    const { leaves } = it_.parts;
    const forged = {
      at: async (positions: readonly bigint[]) =>
        (await leaves.at(positions)).map((leaf, index) => (index === 3 ? { ...leaf, hash: new Uint8Array(32) } : leaf)),
    };
    const events = (await it_.events()).length;
    await expect(archiveExchanges({ ...it_.parts, leaves: forged }, all())).rejects.toThrow(
      /not the one in the log's tree/u,
    );
    expect((await it_.events()).length).toBe(events);
  });
});

const textAndAll = (event: RecordedEvent | undefined): object => ({
  ...event,
  revision: String(event?.revision),
  position: String(event?.position),
});

const recordsIn = async (): Promise<number> => (await it_.log.readStream(archiveStream)).length;
