import { describe, expect, test } from 'vitest';
import { EventLogClosedError, InvalidAppendError, WrongExpectedRevisionError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { ExpectedRevision, NewEvent } from '../port.ts';
import { type ContractSubject, newEvent, newEvents, newStream, useSubject } from './subject.ts';

export function appendContract(start: () => Promise<ContractSubject>): void {
  describe('append', () => {
    const subject = useSubject(start);

    const accepted: [existing: number, expected: ExpectedRevision][] = [
      [0, 'no_stream'],
      [0, 'any'],
      [2, 1n],
      [2, 'any'],
      [2, 'stream_exists'],
    ];
    test.each(accepted)('to a stream of %i events expecting %s is accepted', async (existing, expectedRevision) => {
      const stream = newStream();
      if (existing > 0) await subject.log.append(stream, newEvents(existing), { expectedRevision: 'no_stream' });
      const result = await subject.log.append(stream, newEvents(2), { expectedRevision });
      expect(result.revision).toBe(BigInt(existing) + 1n);
      expect(await subject.log.readStream(stream)).toHaveLength(existing + 2);
    });

    const refused: [existing: number, expected: ExpectedRevision, actual: bigint | 'no_stream'][] = [
      [0, 0n, 'no_stream'],
      [0, 'stream_exists', 'no_stream'],
      [2, 'no_stream', 1n],
      [2, 0n, 1n],
      [2, 2n, 1n],
    ];
    test.each(refused)(
      'to a stream of %i events expecting %s is refused and writes nothing',
      async (existing, expectedRevision, actual) => {
        const stream = newStream();
        if (existing > 0) await subject.log.append(stream, newEvents(existing), { expectedRevision: 'no_stream' });
        const error = await subject.log
          .append(stream, newEvents(2), { expectedRevision })
          .catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(WrongExpectedRevisionError);
        expect(error).toMatchObject({ stream, expected: expectedRevision, actual, retryable: false });
        expect((error as Error).message).toContain(stream);
        expect(await subject.log.readStream(stream)).toHaveLength(existing);
      },
    );

    test('of twenty writers who expect the same revision exactly one succeeds', async () => {
      const stream = newStream();
      const logs = [subject.open(), subject.open()];
      const attempts = Array.from({ length: 20 }, (_, n) =>
        (logs[n % 2] ?? subject.log).append(stream, [newEvent({ n })], { expectedRevision: 'no_stream' }),
      );
      const outcomes = await Promise.allSettled(attempts);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
      const failures = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
      );
      expect(failures.filter((failure) => !(failure instanceof WrongExpectedRevisionError))).toEqual([]);
      expect(await subject.log.readStream(stream)).toHaveLength(1);
    });

    const unusable: [what: string, change: (event: NewEvent) => NewEvent][] = [
      ['U+0000 in its data', (event) => ({ ...event, data: { text: 'a\u0000b' } })],
      ['U+0000 in a key', (event) => ({ ...event, data: { 'a\u0000': 1 } })],
      ['U+0000 in its metadata', (event) => ({ ...event, metadata: { correlationId: '\u0000' } })],
      ['U+0000 in its type', (event) => ({ ...event, type: 'Some\u0000thing' })],
      ['an id that is no UUID', (event) => ({ ...event, eventId: 'one' })],
      ['data above the limit', (event) => ({ ...event, data: { text: 'x'.repeat(eventLogLimits.appendBytesMax) } })],
      ['a type reserved for the log itself', (event) => ({ ...event, type: '$metadata' })],
    ];
    test.each(unusable)('an event with %s is refused without affecting others', async (_, change) => {
      const stream = newStream();
      const [before, bad, after] = await Promise.allSettled([
        subject.log.append(`${stream}-before`, [newEvent()], { expectedRevision: 'no_stream' }),
        subject.log.append(stream, [change(newEvent())], { expectedRevision: 'no_stream' }),
        subject.log.append(`${stream}-after`, [newEvent()], { expectedRevision: 'no_stream' }),
      ]);
      expect(bad).toMatchObject({ status: 'rejected', reason: expect.any(InvalidAppendError) as unknown });
      expect([before.status, after.status]).toEqual(['fulfilled', 'fulfilled']);
      expect(await subject.log.readStream(stream)).toEqual([]);
    });

    test('an append of no events, and one that repeats an id in itself, are refused', async () => {
      const event = newEvent();
      await expect(subject.log.append(newStream(), [], { expectedRevision: 'any' })).rejects.toThrow(
        InvalidAppendError,
      );
      await expect(subject.log.append(newStream(), [event, event], { expectedRevision: 'any' })).rejects.toThrow(
        InvalidAppendError,
      );
    });

    test('a stream name with U+0000 or a lone surrogate is refused', async () => {
      for (const name of ['', 'a\u0000', '\ud800', '$system']) {
        await expect(subject.log.append(name, [newEvent()], { expectedRevision: 'any' })).rejects.toThrow(
          InvalidAppendError,
        );
      }
    });

    test('a closed log refuses everything', async () => {
      const log = subject.open();
      await log.append(newStream(), [newEvent()], { expectedRevision: 'any' });
      await log.close();
      await log.close();
      await expect(log.append(newStream(), [newEvent()], { expectedRevision: 'any' })).rejects.toThrow(
        EventLogClosedError,
      );
      await expect(log.readStream('x')).rejects.toThrow(EventLogClosedError);
      expect(() => log.subscribeToAll({ after: null })).toThrow(EventLogClosedError);
    });
  });
}
