/**
 * Bug meant: bodies that have begun, in chunks of single bytes, cost an object for each byte; many at one time cost gigabytes, though each is
 * short. Method: the memory that many of them hold, after a collection.
 */
import { heldBytes } from '@agent-trust/test-kit/held-bytes';
import { expect, it } from 'vitest';
import { createChunkJoiner } from './chunk-joiner.ts';

it('holds little more than their bytes of many bodies in single bytes', () => {
  const [bodies, bytes] = [1_000, 1_000];
  const sent = Buffer.alloc(bytes, 'abc');
  const before = heldBytes();
  const begun = Array.from({ length: bodies }, () => createChunkJoiner());
  for (let at = 0; at < bytes; at += 1) for (const body of begun) body.add(sent.subarray(at, at + 1));
  expect(heldBytes() - before).toBeLessThan(4 * bodies * bytes);
  expect(begun.every((body) => body.size === bytes && body.joined().equals(sent))).toBe(true);
});

it('gives an array of its own', () => {
  const chunk = Buffer.from('abc');
  const body = createChunkJoiner();
  body.add(chunk);
  const joined = body.joined();
  chunk.fill(0);
  expect(joined.toString()).toBe('abc');
  expect(joined.buffer.byteLength).toBe(3);
});

it('is empty when nothing came', () => {
  const body = createChunkJoiner();
  expect([body.size, body.joined().length]).toEqual([0, 0]);
});
