/** Bugs meant: one owner takes every place; a place that is given back twice makes room that is not there, or is never given back. */
import { expect, it } from 'vitest';
import { createSlots } from './slots.ts';

it('gives one owner so many places and leaves the others theirs', () => {
  const slots = createSlots({ allMax: 4, ownerMax: 2 });
  const release = slots.take('a');
  slots.take('a');
  expect(() => slots.take('a')).toThrow('2 such requests of yours are under way');
  slots.take('b');
  release();
  slots.take('a');
  expect(() => slots.take('a')).toThrow('2 such requests of yours are under way');
});

it('gives so many in all', () => {
  const slots = createSlots({ allMax: 2, ownerMax: 2 });
  slots.take('a');
  const release = slots.take('b');
  expect(() => slots.take('c')).toThrow('2 such requests are under way');
  release();
  slots.take('c');
});

it('takes a place back once', () => {
  const slots = createSlots({ allMax: 2, ownerMax: 2 });
  const release = slots.take('a');
  release();
  release();
  slots.take('a');
  slots.take('a');
  expect(() => slots.take('a')).toThrow('under way');
});
