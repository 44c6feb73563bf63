import { readBytes, readText, unreadable } from '../http/read-body.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import type {
  ConsistencyProof,
  ConsistencyQuery,
  InclusionProof,
  InclusionQuery,
  LogKey,
  ReviewLeaf,
  ReviewLeavesQuery,
  ReviewReceipt,
} from '../types.ts';
import { get, pathOf } from './ask.ts';
import { listing, type PageOf } from './page.ts';

/** A tile of the log's tree (C2SP tlog-tiles): `width` hashes from number `index` · 256 of its level. */
export type LogTile = { level: number; index: number; width: number };

const tileWidth = 256;

/** Its path according to C2SP tlog-tiles: tile 1234067 of level 0 is `0/x001/x234/067`. */
const tilePath = ({ level, index, width }: LogTile): string => {
  for (const [name, value] of Object.entries({ level, index, width }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new TypeError(`${name} of a tile is a whole number, not ${value}`);
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/gu) ?? [];
  const number = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `${level}/${number}${width < tileWidth ? `.p/${width}` : ''}`;
};

/** As in `discover.ts`: a sandbox key reads its sandbox. */
const scope = ['organisation'] as const;

export type ReviewLeavesPage = PageOf<'leaves', ReviewLeavesQuery, ReviewLeaf>;

/** Proofs that the log was not rewritten. Verify the answers with the log's key: see `@agent-trust/client/log`. */
export function logOperations(transport: Transport) {
  const leavesOf = (agentId: string) =>
    listing<'leaves', ReviewLeavesQuery, ReviewLeaf>(transport, 'leaves', {
      ...pathOf('/agent/{agent_id}/reviews/leaves', agentId),
      credentials: scope,
    });
  return {
    /** The newest signed checkpoint, as text (C2SP tlog-checkpoint). */
    checkpoint: (options: RequestOptions = {}): Promise<string> =>
      transport.send(
        { method: 'GET', path: '/log/checkpoint', credentials: [], repeat: 'always' },
        options,
        async (response, deadline, { operation }) => {
          const text = await readText(response, transport.answerBytesMax).catch(unreadable(operation, response));
          deadline.end();
          return text;
        },
      ),

    /** The public key of the log. Get it once from a trusted source, and keep it. */
    key: (options: RequestOptions = {}): Promise<LogKey> =>
      get(transport, { path: '/log/key', credentials: [] }, options),

    /** Proof that an event is in the log, by its index or its id. */
    inclusionProof: (query: InclusionQuery, options: RequestOptions = {}): Promise<InclusionProof> =>
      get(transport, { path: '/log/proof/inclusion', query, credentials: [] }, options),

    /** Proof that the log has only grown between two sizes. */
    consistencyProof: (query: ConsistencyQuery, options: RequestOptions = {}): Promise<ConsistencyProof> =>
      get(transport, { path: '/log/proof/consistency', query, credentials: [] }, options),

    /** The hashes of a tile, 32 bytes each, concatenated. */
    tile: async (tile: LogTile, options: RequestOptions = {}): Promise<Uint8Array> =>
      transport.send(
        {
          method: 'GET',
          path: `/log/tile/${tilePath(tile)}`,
          name: '/log/tile/{level}/{number}',
          credentials: [],
          repeat: 'always',
        },
        options,
        async (response, deadline, { operation }) => {
          const bytes = await readBytes(response, transport.answerBytesMax).catch(unreadable(operation, response));
          deadline.end();
          return bytes;
        },
      ),

    /** Proof that a review of an agent is in the log. */
    receipt: async (agentId: string, transactionId: string, options: RequestOptions = {}): Promise<ReviewReceipt> =>
      get(
        transport,
        {
          ...pathOf('/agent/{agent_id}/trust/receipt/{transaction_id}', agentId, transactionId),
          credentials: scope,
        },
        options,
      ),

    /** One page of the leaves of an agent's reviews in the tree, oldest first. A review whose leaf is not among them is withheld. */
    reviewLeaves: (agentId: string, query?: ReviewLeavesQuery, options?: RequestOptions): Promise<ReviewLeavesPage> =>
      leavesOf(agentId).page(query, options),

    /** All of them, page by page. */
    eachReviewLeaf: (
      agentId: string,
      query?: ReviewLeavesQuery,
      options?: RequestOptions,
    ): AsyncGenerator<ReviewLeaf, void, undefined> => leavesOf(agentId).each(query, options),
  };
}
