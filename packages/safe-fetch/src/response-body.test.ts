/**
 * Bug: an answer in single bytes costs an object for each byte, a hundred times its size, until it is complete.
 * Method: the memory in use just before the end of such an answer, after a garbage collection.
 */
import { runs } from '@agent-trust/test-kit/runs';
import { heldBytes } from '@agent-trust/test-kit/held-bytes';
import { expect, it } from 'vitest';
import { readBytes, type ResponseBody, wrapBody } from './response-body.ts';

const bodyOf = (chunks: AsyncGenerator<Uint8Array>): ResponseBody =>
  wrapBody(
    Object.assign(chunks, { destroy: () => undefined }),
    Number.POSITIVE_INFINITY,
    () => undefined,
    () => undefined,
  );

it('uses little more memory than its bytes for an answer in single bytes', async () => {
  const count = runs(200_000, 1_000_000);
  const block = Buffer.alloc(65_536, 'abc');
  const before = heldBytes();
  let held = 0;
  const bytes = await readBytes(
    bodyOf(
      (async function* () {
        for (let at = 0; at < count; at += 1) yield block.subarray(at % block.length, (at % block.length) + 1);
        held = heldBytes() - before;
      })(),
    ),
  );
  expect(bytes.length).toBe(count);
  expect(held).toBeLessThan(20 * count);
});

it.each([0, 1, 1_023, 1_024, 1_025, 5_000])('joins %i chunks of different sizes', async (count) => {
  const chunks = Array.from({ length: count }, (_, index) => Buffer.alloc(index % 7, String(index % 10)));
  const bytes = await readBytes(
    bodyOf(
      (async function* () {
        yield* chunks;
      })(),
    ),
  );
  expect(Buffer.from(bytes).equals(Buffer.concat(chunks))).toBe(true);
});
