import { expect, it } from 'vitest';
import { createKnownStreams } from './known-streams.ts';
import { writeLimits } from './limits.ts';

const at = (revision: bigint, state: unknown = revision.toString()) => ({ state, revision, position: revision });

it('knows the latest of what it was given of a stream, in whatever order', () => {
  const known = createKnownStreams();
  expect(known.get('a')).toBeNull();
  known.set('a', at(2n));
  known.set('a', at(1n));
  known.set('b', at(0n));
  expect([known.get('a'), known.get('b')]).toEqual([at(2n), at(0n)]);
  known.set('a', at(3n));
  expect(known.get('a')).toEqual(at(3n));
  known.set('empty', { state: 'x', revision: 'no_stream', position: null });
  expect(known.get('empty')).toBeNull();
});

it('forgets the streams that were not used for longest, by number and by size', () => {
  const many = createKnownStreams();
  for (let n = 0; n <= writeLimits.knownStreamsMax; n += 1) many.set(`s-${n}`, at(0n));
  expect([many.get('s-0'), many.get('s-1')]).toEqual([null, at(0n)]);
  const large = createKnownStreams();
  const half = 'x'.repeat(writeLimits.knownCharsMax / 2 - 100);
  for (const stream of ['a', 'b', 'c']) large.set(stream, at(0n, half));
  expect(['a', 'b', 'c'].map((stream) => large.get(stream) !== null)).toEqual([false, true, true]);
});
