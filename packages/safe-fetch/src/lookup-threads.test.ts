import { expect, it } from 'vitest';
import { lookupsAtOnce } from './lookup-threads.ts';

it.each([
  [undefined, 2],
  ['4', 2],
  ['1', 1],
  ['0', 1],
  ['-3', 1],
  ['many', 1],
  ['6', 2],
  ['8', 3],
  ['32', 15],
  ['5000', 511],
])('with UV_THREADPOOL_SIZE %s, %i names are resolved concurrently', (size, atOnce) => {
  expect(lookupsAtOnce(size)).toBe(atOnce);
});
