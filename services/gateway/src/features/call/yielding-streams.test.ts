/** Bugs: slow streams keep their places for ever; a rush of bytes earns minutes of silence; a lively stream, or a new one, has to go. */
import { expect, it } from 'vitest';
import { edgeLimits } from '../../limits.ts';
import { createYieldingStreams } from './yielding-streams.ts';

const { graceMs, bytesPerSecondMin } = edgeLimits.slowStreams;

const streams = () => {
  const clock = { at: 0 };
  const gone: string[] = [];
  const yielding = createYieldingStreams(() => clock.at);
  return {
    add: (name: string) => yielding.add(() => gone.push(name)),
    after: (ms: number) => {
      clock.at += ms;
    },
    /** Who gives way to one more call, if anybody does. */
    next: () => (yielding.makePlace() ? gone.at(-1) : null),
  };
};

it('an idle stream gives way after its grace, the one that is idle for longest first', () => {
  const { add, after, next } = streams();
  add('first');
  after(1);
  add('second');
  after(graceMs - 1);
  expect(next()).toBeNull();
  after(1);
  expect([next(), next()]).toEqual(['first', null]);
  after(1);
  expect([next(), next()]).toEqual(['second', null]);
});

it('a stream at the minimum rate keeps its place, a slower one does not', () => {
  const { add, after, next } = streams();
  const [steady, slow] = [add('steady'), add('slow')];
  for (let second = 0; second <= (4 * graceMs) / 1_000; second += 1) {
    after(1_000);
    steady.progress(bytesPerSecondMin);
    slow.progress(bytesPerSecondMin / 2);
  }
  expect([next(), next()]).toEqual(['slow', null]);
});

it('a rush of bytes earns no more than the grace', () => {
  const { add, after, next } = streams();
  add('rush').progress(1_000_000_000);
  after(graceMs);
  expect(next()).toBeNull();
  after(1);
  expect(next()).toBe('rush');
});

it('a stream that recovers has its time again, and one that is over gives way to nobody', () => {
  const { add, after, next } = streams();
  const recovered = add('recovered');
  const over = add('over');
  after(2 * graceMs);
  // It is behind by the grace, however long it was idle.
  recovered.progress(bytesPerSecondMin * (graceMs / 1_000 + 10));
  over.over();
  after(10_000);
  expect(next()).toBeNull();
  after(1);
  expect(next()).toBe('recovered');
});
