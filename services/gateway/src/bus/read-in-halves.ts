import { RpcPayloadTooLargeError } from '@agent-trust/nats-rpc';

/** Which part of a listing. */
export type PageRange = { limit: number; offset: number };

/**
 * Reads a page of a listing. Agents with texts as long as may be can make one larger than a message on the bus carries; then it is
 * read in halves, so that nobody can spoil a listing for all by what he registers.
 */
export async function readInHalves<Page>(
  range: PageRange,
  read: (range: PageRange) => Promise<Page>,
  join: (first: Page, second: Page) => Page,
): Promise<Page> {
  const { limit, offset } = range;
  try {
    return await read(range);
  } catch (error) {
    if (!(error instanceof RpcPayloadTooLargeError) || limit === 1) throw error;
    const half = Math.floor(limit / 2);
    const first = await readInHalves({ offset, limit: half }, read, join);
    return join(first, await readInHalves({ offset: offset + half, limit: limit - half }, read, join));
  }
}
