import { expect, it } from 'vitest';
import { inTurn, shortMessageBytesMax } from './in-turn.ts';

const long = new Uint8Array(shortMessageBytesMax + 1);
const short = new Uint8Array(shortMessageBytesMax);

it('lets timers run between long messages, in the order in which they came', async () => {
  const seen: string[] = [];
  const every = setInterval(() => seen.push('timer'), 1);
  const work = (name: string) => () => {
    seen.push(name);
    const endsAt = performance.now() + 5;
    while (performance.now() < endsAt);
  };
  await Promise.all(['a', 'b', 'c'].map((name) => inTurn(long, work(name))));
  clearInterval(every);
  expect(seen.filter((name) => name !== 'timer')).toEqual(['a', 'b', 'c']);
  expect(seen.join(' ')).toMatch(/a (timer )+b (timer )+c/u);
});

it('goes on after a message that is refused', async () => {
  const refused = inTurn(long, () => {
    throw new Error('refused');
  });
  const next = inTurn(long, () => 'next');
  await expect(refused).rejects.toThrow('refused');
  expect(await next).toBe('next');
});

it('lets short messages pass by', async () => {
  const seen: string[] = [];
  await Promise.all([inTurn(long, () => seen.push('long')), inTurn(short, () => seen.push('short'))]);
  expect(seen).toEqual(['short', 'long']);
});
