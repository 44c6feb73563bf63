import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  EventLogSetupError,
  RestoreImpossibleError,
  StreamDeletedError,
  WrongExpectedRevisionError,
} from '../errors.ts';
import type { EventLog, JsonObject, RecordedEvent } from '../port.ts';
import type { ArchivedPositions, LogRetention } from '../retention.ts';
import { collect, type ContractSubject, newEvent, newStream, useSubject } from './subject.ts';

const data: JsonObject = { text: 'ä𝕏"\\u0000', numbers: [1.5, 1e300], '10': 1, '9': 2 };

/** An exchange that has ended: two events in a stream of their own. */
const exchange = async (log: EventLog): Promise<RecordedEvent[]> => {
  const stream = `exchange-${randomUUID()}`;
  const [start, end] = ['ExchangeStarted', 'ExchangeCompleted'].map((type) => ({ ...newEvent(data), type }));
  if (start === undefined || end === undefined) throw new Error('no events');
  await log.append(stream, [start], { expectedRevision: 'no_stream' });
  await log.append(stream, [end], { expectedRevision: 0n });
  return log.readStream(stream);
};

const streamOf = ([event]: readonly RecordedEvent[]): string => event?.stream ?? '';
const positionsOf = (events: readonly RecordedEvent[]): bigint[] =>
  events.map(({ position }) => position).sort((one, other) => (one < other ? -1 : 1));

/** Appends the record without which no event may leave the log. */
const recordOf = async (log: EventLog, events: readonly RecordedEvent[]): Promise<ArchivedPositions> => {
  const positions = positionsOf(events);
  const positionsSha256 = createHash('sha256').update(positions.join(',')).digest('hex');
  const record = { ...newEvent({ positionsSha256 }), type: 'ExchangesArchived' };
  const { position } = await log.append('log-archive', [record], { expectedRevision: 'any' });
  return { recordPosition: position, positions };
};

/** Events of a stream that a reader finds; none also where the log says that it was deleted. */
const readOf = (log: EventLog, stream: string): Promise<RecordedEvent[]> =>
  log.readStream(stream).catch((error: unknown) => {
    if (error instanceof StreamDeletedError) return [];
    throw error;
  });

export function retentionContract(start: () => Promise<ContractSubject>): void {
  describe('retention', () => {
    const subject = useSubject(start);
    const withRetention = async (skip: (why: string) => never, work: (it: LogRetention) => Promise<void>) => {
      const retention = subject.openRetention?.() ?? skip('nothing may be removed from this log');
      try {
        await work(retention);
      } finally {
        await retention.close();
      }
    };

    test('removes recorded streams, and repeating it changes nothing', ({ skip }) =>
      withRetention(skip, async (retention) => {
        const { log } = subject;
        const [one, two, other] = [await exchange(log), await exchange(log), await exchange(log)];
        const record = await recordOf(log, [...one, ...two]);
        const streams = [streamOf(one), streamOf(two)];
        expect(await retention.remove(record, streams)).toBe(2);
        expect(await retention.remove(record, streams)).toBe(2);
        for (const stream of streams) expect(await readOf(log, stream)).toEqual([]);
        expect(await log.readStream(streamOf(other))).toEqual(other);
      }));

    test('a late writer of a removed stream is refused, and nothing of it is written', ({ skip }) =>
      withRetention(skip, async (retention) => {
        const { log } = subject;
        const one = await exchange(log);
        const stream = streamOf(one);
        await retention.remove(await recordOf(log, one), [stream]);
        const late = log.append(stream, [newEvent()], { expectedRevision: 1n });
        await expect(late).rejects.toSatisfy(
          (error: unknown) => error instanceof WrongExpectedRevisionError || error instanceof StreamDeletedError,
        );
        expect(await readOf(log, stream)).toEqual([]);
      }));

    test('a stream with an event that is not recorded stays, whole', ({ skip }) =>
      withRetention(skip, async (retention) => {
        const { log } = subject;
        const [reviewed, other] = [await exchange(log), await exchange(log)];
        const record = await recordOf(log, [...reviewed, ...other]);
        const stream = streamOf(reviewed);
        await log.append(stream, [{ ...newEvent(), type: 'ExchangeReviewed' }], { expectedRevision: 1n });
        expect(await retention.remove(record, [stream, streamOf(other)])).toBe(1);
        expect(await log.readStream(stream)).toHaveLength(3);
        expect(await readOf(log, streamOf(other))).toEqual([]);
      }));

    test('of a review and a removal at the same time, one succeeds', ({ skip }) =>
      withRetention(skip, async (retention) => {
        const { log } = subject;
        for (let round = 0; round < 10; round += 1) {
          const one = await exchange(log);
          const stream = streamOf(one);
          const record = await recordOf(log, one);
          const review = { ...newEvent(), type: 'ExchangeReviewed' };
          const [gone, written] = await Promise.all([
            retention.remove(record, [stream]),
            log.append(stream, [review], { expectedRevision: 1n }).then(
              () => true,
              () => false,
            ),
          ]);
          expect([gone === 1, (await readOf(log, stream)).length]).toEqual(written ? [false, 3] : [true, 0]);
        }
      }));

    test('without a record of exactly these positions nothing is removed', ({ skip }) =>
      withRetention(skip, async (retention) => {
        const { log } = subject;
        const [one, other] = [await exchange(log), await exchange(log)];
        const { recordPosition, positions } = await recordOf(log, one);
        const wrong: ArchivedPositions[] = [
          { recordPosition, positions: positionsOf([...one, ...other]) },
          { recordPosition: positions[0] ?? 0n, positions },
          { recordPosition: recordPosition + 1_000_000n, positions },
        ];
        for (const record of wrong) {
          await expect(retention.remove(record, [streamOf(one), streamOf(other)])).rejects.toThrow(EventLogSetupError);
        }
        // The stream that the record does not name stays.
        expect(await retention.remove({ recordPosition, positions }, [streamOf(other)])).toBe(0);
        expect(await log.readStream(streamOf(one))).toEqual(one);
        expect(await log.readStream(streamOf(other))).toEqual(other);
      }));

    test('readers of the whole log go on over what was removed', ({ skip }) =>
      withRetention(skip, async (retention) => {
        const { log } = subject;
        const after = await log.headPosition();
        const [before, removed, behind] = [await exchange(log), await exchange(log), await exchange(log)];
        const record = await recordOf(log, removed);
        await retention.remove(record, [streamOf(removed)]);
        const last = await log.append(newStream(), [newEvent()], { expectedRevision: 'any' });
        const kept = [...before, ...behind].map(({ eventId }) => eventId);
        const ids = (events: readonly RecordedEvent[]): string[] => events.map(({ eventId }) => eventId);
        expect(ids(await log.readAll({ after, countMax: 100 }))).toEqual(expect.arrayContaining(kept));
        const delivered = await collect(log.subscribeToAll({ after }), (events) =>
          events.some(({ position }) => position === last.position),
        );
        expect(ids(delivered)).toEqual(expect.arrayContaining(kept));
        expect(await log.headPosition()).toBe(last.position);
      }));

    test('restores removed events as they were, or says that this log cannot', ({ skip }) =>
      withRetention(skip, async (retention) => {
        const { log } = subject;
        const [one, two] = [await exchange(log), await exchange(log)];
        const record = await recordOf(log, [...one, ...two]);
        await retention.remove(record, [streamOf(one), streamOf(two)]);
        const restored = await retention.restore(record, [...one, ...two]).catch((error: unknown) => error);
        if (restored instanceof RestoreImpossibleError) return;
        expect(restored).toBe(4);
        expect(await retention.restore(record, [...one, ...two])).toBe(0);
        for (const events of [one, two]) {
          expect(await log.readStream(streamOf(events))).toEqual(events);
          expect(await log.readAt(positionsOf(events))).toEqual(events);
          expect(JSON.stringify((await log.readStream(streamOf(events)))[0]?.data)).toBe(JSON.stringify(data));
        }
        const other = await exchange(log);
        await expect(retention.restore(record, other)).rejects.toThrow(EventLogSetupError);
      }));
  });
}
