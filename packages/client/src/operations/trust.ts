import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import { everyItem, type NextPage } from '../pages.ts';
import type {
  ExplainedReview,
  ExplainedTrust,
  TrustChange,
  TrustHistory,
  TrustHistoryQuery,
  TrustQuery,
} from '../types.ts';
import { pathOf } from './ask.ts';
import { getWithPage, type PageOf } from './page.ts';

export type ExplainedTrustPage = {
  /** The score explained, with one page of its reviews. */
  trust: ExplainedTrust;
  /** Number of reviews in all pages. */
  total: number | null;
  /** The query of the next page; null after the last one. */
  next: NextPage<TrustQuery>;
};

export type TrustHistoryPage = PageOf<'history', TrustHistoryQuery, TrustChange>;

/** As in `discover.ts`: a sandbox key reads its sandbox. */
const scope = ['organisation'] as const;

/** Why scores are what they are. */
export function trustOperations(transport: Transport) {
  const trust = async (
    agentId: string,
    query: TrustQuery = {},
    options: RequestOptions = {},
  ): Promise<ExplainedTrustPage> => {
    const operation = { ...pathOf('/agent/{agent_id}/trust', agentId), credentials: scope };
    const { body, ...page } = await getWithPage<ExplainedTrust, TrustQuery>(transport, operation, query, options);
    return { trust: body, ...page };
  };
  const trustHistory = async (
    agentId: string,
    query: TrustHistoryQuery = {},
    options: RequestOptions = {},
  ): Promise<TrustHistoryPage> => {
    const operation = { ...pathOf('/agent/{agent_id}/trust/history', agentId), credentials: scope };
    const { body, ...page } = await getWithPage<TrustHistory, TrustHistoryQuery>(transport, operation, query, options);
    return { history: body.history, ...page };
  };
  return {
    /**
     * The parts of an agent's score, now or as of a time or a log position: the initial score, what each root adds, and a page of the reviews,
     * newest first. The points of the contributions sum to `unrounded` exactly.
     */
    trust,

    /** One page of the changes of an agent's score, oldest first, each with the event that caused it. */
    trustHistory,

    /** All reviews behind a score, newest first, page by page. They are those of one moment, so they do not change meanwhile. */
    eachReview: (
      agentId: string,
      query: TrustQuery = {},
      options: RequestOptions = {},
    ): AsyncGenerator<ExplainedReview, void, undefined> =>
      everyItem(query, async (wanted) => {
        const page = await trust(agentId, wanted, options);
        // All pages are of one moment, so that a new review moves none of them.
        const next = page.next && { ...page.next, as_of: page.trust.as_of.position };
        return { items: page.trust.reviews, next };
      }),
  };
}
