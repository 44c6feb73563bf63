import { describe, expect, test } from 'vitest';
import { EventIdConflictError, WrongExpectedRevisionError } from '../errors.ts';
import type { ExpectedRevision } from '../port.ts';
import { type ContractSubject, newEvent, newEvents, newStream, useSubject } from './subject.ts';

export function idempotencyContract(start: () => Promise<ContractSubject>): void {
  describe('append again with the same event ids', () => {
    const subject = useSubject(start);

    const repeatable: [existing: number, expected: ExpectedRevision][] = [
      [0, 'no_stream'],
      [0, 'any'],
      [2, 1n],
      [2, 'any'],
      [2, 'stream_exists'],
    ];
    test.each(repeatable)(
      'after %i events, expecting %s: gives the first answer again and writes nothing',
      async (existing, expectedRevision) => {
        const stream = newStream();
        if (existing > 0) await subject.log.append(stream, newEvents(existing), { expectedRevision: 'no_stream' });
        const events = newEvents(2);
        const first = await subject.log.append(stream, events, { expectedRevision });
        expect(await subject.log.append(stream, events, { expectedRevision })).toEqual(first);
        // Also if the stream has more events since.
        await subject.log.append(stream, newEvents(1), { expectedRevision: first.revision });
        expect(await subject.log.append(stream, events, { expectedRevision })).toEqual(first);
        expect(await subject.log.readStream(stream)).toHaveLength(existing + 3);
      },
    );

    test('many at once: one write, one answer', async () => {
      const stream = newStream();
      const events = newEvents(3);
      const results = await Promise.all(
        Array.from({ length: 10 }, () => subject.log.append(stream, events, { expectedRevision: 'no_stream' })),
      );
      expect(new Set(results.map((result) => `${result.revision} ${result.position}`)).size).toBe(1);
      expect(await subject.log.readStream(stream)).toHaveLength(3);
    });

    test('expecting another, wrong revision is refused as a wrong expected revision', async () => {
      const stream = newStream();
      const events = newEvents(2);
      await subject.log.append(stream, newEvents(2), { expectedRevision: 'no_stream' });
      await subject.log.append(stream, events, { expectedRevision: 1n });
      for (const expectedRevision of ['no_stream', 0n, 2n, 4n] as const) {
        await expect(subject.log.append(stream, events, { expectedRevision })).rejects.toThrow(
          WrongExpectedRevisionError,
        );
      }
      expect(await subject.log.readStream(stream)).toHaveLength(4);
    });

    test('some of them together with others are refused and writes nothing', async () => {
      const stream = newStream();
      const [one, two, three] = [newEvent(), newEvent(), newEvent()];
      await subject.log.append(stream, [one, two], { expectedRevision: 'no_stream' });
      await expect(subject.log.append(stream, [one, three], { expectedRevision: 'no_stream' })).rejects.toThrow(
        WrongExpectedRevisionError,
      );
      await expect(subject.log.append(stream, [one, two, three], { expectedRevision: 'no_stream' })).rejects.toThrow(
        WrongExpectedRevisionError,
      );
      await expect(subject.log.append(stream, [two, one], { expectedRevision: 'no_stream' })).rejects.toThrow(
        WrongExpectedRevisionError,
      );
      await expect(subject.log.append(stream, [two, three], { expectedRevision: 'any' })).rejects.toThrow(
        EventIdConflictError,
      );
      await expect(subject.log.append(stream, [two, three], { expectedRevision: 'stream_exists' })).rejects.toThrow(
        EventIdConflictError,
      );
      expect((await subject.log.readStream(stream)).map((event) => event.eventId)).toEqual([one.eventId, two.eventId]);
    });

    test('the beginning of an earlier append is a repetition of that beginning', async () => {
      const stream = newStream();
      const events = newEvents(3);
      const whole = await subject.log.append(stream, events, { expectedRevision: 'no_stream' });
      const part = await subject.log.append(stream, events.slice(0, 2), { expectedRevision: 'no_stream' });
      expect(part.revision).toBe(1n);
      expect(part.position).toBeLessThan(whole.position);
      expect(await subject.log.readStream(stream)).toHaveLength(3);
    });
  });
}
