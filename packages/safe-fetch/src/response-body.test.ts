/**
 * Bugs meant: an answer that comes a byte at a time costs an object for each byte, a hundred times its size, until it is whole; one that is
 * whole is told as broken off, or the other way round.
 * Method: the memory that is still held just before the end of such an answer, after a collection; sources that break at a given byte.
 */
import { heldBytes } from '@agent-trust/test-kit/held-bytes';
import { describe, expect, it } from 'vitest';
import { OutboundError } from './outbound-error.ts';
import { readBytes, type ResponseBody, wrapBody } from './response-body.ts';

const bodyOf = (chunks: AsyncGenerator<Uint8Array>): ResponseBody =>
  wrapBody(
    Object.assign(chunks, { destroy: () => undefined }),
    { bytesMax: Number.POSITIVE_INFINITY },
    () => undefined,
    () => undefined,
  );

it('holds little more than its bytes of an answer in single bytes', async () => {
  const count = 1_000_000;
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

describe('an answer whose connection breaks behind its last byte', () => {
  const brokenAfter = (
    chunks: readonly string[],
    bytesAnnounced: number | null,
    failure?: OutboundError,
  ): ResponseBody =>
    wrapBody(
      Object.assign(
        (async function* () {
          for (const chunk of chunks) yield Buffer.from(chunk);
          throw new Error('other side closed');
        })(),
        { destroy: () => undefined },
      ),
      { bytesMax: 100, bytesAnnounced },
      () => failure,
      () => undefined,
    );

  it('is whole where all that was announced has come', async () => {
    expect(Buffer.from(await readBytes(brokenAfter(['ab', 'c'], 3))).toString()).toBe('abc');
  });

  it.each([
    ['more was announced', 4, undefined],
    ['nothing was announced', null, undefined],
    ['it was ended from this side', 3, new OutboundError('timeout', 'total_timeout')],
  ])('is not where %s', async (_why, bytesAnnounced, failure) => {
    await expect(readBytes(brokenAfter(['ab', 'c'], bytesAnnounced, failure))).rejects.toBeInstanceOf(OutboundError);
  });
});
