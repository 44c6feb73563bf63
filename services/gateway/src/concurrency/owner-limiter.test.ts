/** Bugs meant: one owner takes every place; a place that is given back twice makes room that is not there, or is never given back. */
import { expect, it } from 'vitest';
import { createOwnerLimiter } from './caller-limiter.ts';

it('gives one owner so many places and leaves the others theirs', () => {
  const limiter = createOwnerLimiter({ allMax: 4, ownerMax: 2 });
  const release = limiter.acquire('a');
  limiter.acquire('a');
  expect(() => limiter.acquire('a')).toThrow('2 such requests of yours are under way');
  limiter.acquire('b');
  release();
  limiter.acquire('a');
  expect(() => limiter.acquire('a')).toThrow('2 such requests of yours are under way');
});

it('gives so many in all', () => {
  const limiter = createOwnerLimiter({ allMax: 2, ownerMax: 2 });
  limiter.acquire('a');
  const release = limiter.acquire('b');
  expect(() => limiter.acquire('c')).toThrow('2 such requests are under way');
  release();
  limiter.acquire('c');
});

it('takes a place back once', () => {
  const limiter = createOwnerLimiter({ allMax: 2, ownerMax: 2 });
  const release = limiter.acquire('a');
  release();
  release();
  limiter.acquire('a');
  limiter.acquire('a');
  expect(() => limiter.acquire('a')).toThrow('under way');
});
