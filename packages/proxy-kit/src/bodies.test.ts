/** Bugs: the memory of a body that is over waits for a collection; or is taken from bytes that share it. */
import { expect, it } from 'vitest';
import { freeBody } from './bodies.ts';

const mebibyte = 1024 * 1024;

it('gives the memory of a long body back without a collection', () => {
  const before = process.memoryUsage().arrayBuffers;
  const bodies = Array.from({ length: 20 }, () => Buffer.allocUnsafeSlow(10 * mebibyte));
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(150 * mebibyte);
  for (const body of bodies) freeBody(body);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * mebibyte);
  expect(bodies.map(({ byteLength }) => byteLength)).toEqual(bodies.map(() => 0));
});

it('can be called again, and for a body without bytes', () => {
  const body = Buffer.allocUnsafeSlow(mebibyte);
  freeBody(body);
  freeBody(body);
  freeBody(new Uint8Array());
  expect(body.byteLength).toBe(0);
});

it('leaves bytes alone that are a part of others, or few', () => {
  const whole = Buffer.alloc(mebibyte, 'y');
  freeBody(whole.subarray(0, mebibyte - 1));
  freeBody(whole.subarray(1));
  freeBody(Buffer.from('short'));
  expect(whole.equals(Buffer.alloc(mebibyte, 'y'))).toBe(true);
});
