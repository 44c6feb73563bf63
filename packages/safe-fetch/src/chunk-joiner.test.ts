/**
 * Bug: a body under way in chunks of single bytes costs an object for each byte; many short ones together cost gigabytes.
 * Method: the memory of many bodies, after a garbage collection.
 */
import { heldBytes } from '@agent-trust/test-kit/held-bytes';
import { expect, it } from 'vitest';
import { createChunkJoiner } from './response-body.ts';

it('uses little more memory than their bytes for many bodies in single bytes', () => {
  const [bodies, bytes] = [1_000, 1_000];
  const sent = Buffer.alloc(bytes, 'abc');
  const before = heldBytes();
  const begun = Array.from({ length: bodies }, () => createChunkJoiner());
  for (let at = 0; at < bytes; at += 1) for (const body of begun) body.add(sent.subarray(at, at + 1));
  expect(heldBytes() - before).toBeLessThan(4 * bodies * bytes);
  expect(begun.every((body) => body.size === bytes && body.joined().equals(sent))).toBe(true);
});

it('returns a new array', () => {
  const chunk = Buffer.from('abc');
  const body = createChunkJoiner();
  body.add(chunk);
  const joined = body.joined();
  chunk.fill(0);
  expect(joined.toString()).toBe('abc');
  expect(joined.buffer.byteLength).toBe(3);
});

it('is empty without chunks', () => {
  const body = createChunkJoiner();
  expect([body.size, body.joined().length]).toEqual([0, 0]);
});
