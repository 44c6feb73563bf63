import { describe, expect, test } from 'vitest';
import { UnknownPositionError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { JsonObject, RecordedEvent } from '../port.ts';
import { type ContractSubject, newEvent, newEvents, newStream, useSubject } from './subject.ts';

const awkward: JsonObject = {
  z: 1,
  a: [null, true, 1.5, -0.1, 1e300, 'ä', '𝕏', '\u2028', '"\\u0000', '\ud800'],
  nested: { deeply: { empty: {}, list: [] } },
  __proto__named: { toString: 'own' },
};

export function readContract(start: () => Promise<ContractSubject>): void {
  describe('read', () => {
    const subject = useSubject(start);

    test('returns an event as it was appended', async () => {
      const stream = newStream();
      const event = {
        ...newEvent(awkward),
        metadata: { correlationId: 'ü', actor: { kind: 'org_key', id: null }, schemaVersion: 3 },
      };
      const before = Date.now();
      const { position, revision } = await subject.log.append(stream, [event], { expectedRevision: 'no_stream' });
      const [recorded] = await subject.log.readStream(stream);
      expect(recorded).toEqual({ ...event, stream, revision, position, recordedAt: expect.any(Date) as unknown });
      expect(JSON.stringify(recorded?.data)).toBe(JSON.stringify(awkward));
      const clockToleranceMs = 60_000;
      expect(Math.abs((recorded?.recordedAt.getTime() ?? 0) - before)).toBeLessThan(clockToleranceMs);
    });

    test('an unknown stream has no events', async () => {
      expect(await subject.log.readStream(newStream())).toEqual([]);
      expect(await subject.log.readStream(newStream(), { direction: 'backwards' })).toEqual([]);
    });

    test('a stream from a revision, in both directions, up to a limit', async () => {
      const stream = newStream();
      await subject.log.append(stream, newEvents(10), { expectedRevision: 'no_stream' });
      const revisions = async (options: Parameters<typeof subject.log.readStream>[1]): Promise<number[]> =>
        (await subject.log.readStream(stream, options)).map((event) => Number(event.revision));
      expect(await revisions({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(await revisions({ fromRevision: 7n })).toEqual([7, 8, 9]);
      expect(await revisions({ fromRevision: 10n })).toEqual([]);
      expect(await revisions({ fromRevision: 3n, countMax: 2 })).toEqual([3, 4]);
      expect(await revisions({ direction: 'backwards', countMax: 3 })).toEqual([9, 8, 7]);
      expect(await revisions({ direction: 'backwards', fromRevision: 2n })).toEqual([2, 1, 0]);
      expect(await revisions({ countMax: 0 })).toEqual([]);
    });

    test('stream names are compared exactly', async () => {
      const base = newStream();
      // 128 code points outside the BMP; composed and decomposed; case; characters that are special in addresses or patterns.
      const names = ['𝕏'.repeat(128), 'é', 'e\u0301', 'É', 'a b', 'a/b%2F', '%', '_', '"\\', "'"].map(
        (name) => `agent-${base}-${name}`,
      );
      for (const [n, name] of names.entries())
        await subject.log.append(name, [newEvent({ n })], { expectedRevision: 'no_stream' });
      for (const [n, name] of names.entries()) {
        expect((await subject.log.readStream(name)).map(({ stream, data }) => ({ stream, data }))).toEqual([
          { stream: name, data: { n } },
        ]);
      }
    });

    test('large events', async () => {
      const stream = newStream();
      const text = '𝕏large"'.repeat(70_000);
      for (let n = 0; n < 4; n++)
        await subject.log.append(stream, [newEvent({ text, n })], { expectedRevision: 'any' });
      const events = await subject.log.readStream(stream);
      expect(events.map((event) => event.data['n'])).toEqual([0, 1, 2, 3]);
      expect(events.every((event) => event.data['text'] === text)).toBe(true);
    });

    test('the whole log in position order, page by page, and its head', async () => {
      const after = await subject.log.headPosition();
      const [one, two] = [newStream(), newStream()];
      for (let n = 0; n < 5; n++) {
        await subject.log.append(one, newEvents(2), { expectedRevision: 'any' });
        await subject.log.append(two, newEvents(1), { expectedRevision: 'any' });
      }
      const { position: last } = await subject.log.append(two, newEvents(1), { expectedRevision: 'any' });
      expect(await subject.log.headPosition()).toBe(last);
      const all = await subject.log.readAll({ after, countMax: 100 });
      expect(all).toHaveLength(16);
      expect(all.at(-1)?.position).toBe(last);
      expect(all.map((event) => event.position)).toEqual(
        all.map((event) => event.position).toSorted((a, b) => (a < b ? -1 : 1)),
      );
      expect(new Set(all.map((event) => event.position)).size).toBe(16);
      const paged = [];
      for (let from = after; ; ) {
        const page = await subject.log.readAll({ after: from, countMax: 3 });
        const end = page.at(-1);
        if (end === undefined) break;
        paged.push(...page);
        from = end.position;
      }
      expect(paged).toEqual(all);
      expect(await subject.log.readAll({ after: last, countMax: 10 })).toEqual([]);
    });

    test('the whole log packed, page by page', async () => {
      const after = await subject.log.headPosition();
      const stream = newStream();
      await subject.log.append(stream, [newEvent(awkward), ...newEvents(9)], { expectedRevision: 'no_stream' });
      const large = { text: '𝕏large"'.repeat(70_000) };
      for (let n = 0; n < 4; n++) await subject.log.append(stream, [newEvent(large)], { expectedRevision: 'any' });
      const all = await subject.log.readAll({ after, countMax: 100 });
      const unpacked: RecordedEvent[] = [];
      for (let from = after; ; ) {
        const page = await subject.log.readPacked({ after: from, countMax: 3 });
        const events = [...page.unpack()];
        const type = events[0]?.type ?? 'Unknown';
        const ofType = (event: RecordedEvent): boolean => event.type === type;
        expect([...page.unpack(type)].filter(ofType)).toEqual(events.filter(ofType));
        expect(events.length).toBeLessThanOrEqual(3);
        expect(page.lastPosition).toBe(events.at(-1)?.position ?? null);
        if (page.lastPosition === null) break;
        unpacked.push(...events);
        from = page.lastPosition;
      }
      expect(unpacked).toHaveLength(14);
      expect(unpacked).toEqual(all);
      expect(JSON.stringify(unpacked[0]?.data)).toBe(JSON.stringify(awkward));
    });

    test('events by their positions, in the requested order, and none for a position without one', async () => {
      const stream = newStream();
      const positions: bigint[] = [];
      for (let n = 0; n < 12; n++)
        positions.push((await subject.log.append(stream, [newEvent({ n })], { expectedRevision: 'any' })).position);
      const all = await subject.log.readStream(stream);
      expect(await subject.log.readAt(positions)).toEqual(all);
      expect(await subject.log.readAt(positions.toReversed())).toEqual(all.toReversed());
      const [first = 0n, second = 0n] = positions;
      const last = positions.at(-1) ?? 0n;
      const without = [last + 1n, last + 1_000_000n];
      const asked = [second, ...without, first];
      expect((await subject.log.readAt(asked)).map(({ position }) => position)).toEqual([second, first]);
      expect(await subject.log.readAt([])).toEqual([]);
      const tooMany = Array.from({ length: eventLogLimits.readAtPositionsMax + 1 }, (_, n) => BigInt(n));
      await expect((async () => subject.log.readAt(tooMany))()).rejects.toThrow(RangeError);
    });

    // A cursor that was made up, or is another log's: a fault of the reader, which the log is not asked about again.
    test('from a position that no event has: the next event, or a refusal for good', async () => {
      const stream = newStream();
      const { position } = await subject.log.append(stream, newEvents(1), { expectedRevision: 'no_stream' });
      const next = await subject.log.append(stream, newEvents(1), { expectedRevision: 0n });
      // In a dense log the next event has it.
      const between = position + 1n;
      const outcome = await subject.log.readAll({ after: between, countMax: 1 }).then(
        (events) => events.map((event) => event.position),
        (error: unknown) => (error instanceof UnknownPositionError && !error.retryable ? 'refused' : error),
      );
      expect(['refused', next.position > between ? [next.position] : []]).toContainEqual(outcome);
    });

    test('from the beginning', async () => {
      await subject.log.append(newStream(), newEvents(2), { expectedRevision: 'any' });
      const [first, second] = await subject.log.readAll({ after: null, countMax: 2 });
      expect(first?.position).toBeLessThan(second?.position ?? 0n);
    });
  });
}
