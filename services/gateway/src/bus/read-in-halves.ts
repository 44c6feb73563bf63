import { RpcPayloadTooLargeError } from '@agent-trust/nats-rpc';

/** A stretch of a listing. */
export type Stretch = { limit: number; offset: number };

/**
 * Reads a stretch of a listing. Agents with texts as long as may be can make one larger than a message on the bus carries; then it is
 * read in halves, so that nobody can spoil a listing for all by what he registers.
 */
export async function readInHalves<Page>(
  stretch: Stretch,
  read: (stretch: Stretch) => Promise<Page>,
  join: (first: Page, second: Page) => Page,
): Promise<Page> {
  const { limit, offset } = stretch;
  try {
    return await read(stretch);
  } catch (error) {
    if (!(error instanceof RpcPayloadTooLargeError) || limit === 1) throw error;
    const half = Math.floor(limit / 2);
    const first = await readInHalves({ offset, limit: half }, read, join);
    return join(first, await readInHalves({ offset: offset + half, limit: limit - half }, read, join));
  }
}
