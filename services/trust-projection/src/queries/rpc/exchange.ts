import {
  findExchangeParties,
  findOverdueExchanges,
  findUnreviewedExchange,
} from '../../projector/read-models/exchange-ledger/queries.ts';
import { findReviewedBy } from '../../projector/read-models/ratings/queries.ts';
import { findSelectedReviews } from '../../projector/read-models/voided-reviews/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { within } from '../../shared/within.ts';
import type { QueryContext } from '../registry-queries.ts';
import { reviewFacts } from '../review-facts.ts';

/** What the services that record exchanges, reviews and settlements ask first. */
export function exchangeMethods({ database }: QueryContext) {
  return {
    ...within(queryLimits.overdueQueriesConcurrentMax, {
      listOverdueExchanges: async ({ countMax }) => ({
        transactionIds: await findOverdueExchanges(database, countMax),
      }),
    }),
    ...within(queryLimits.queriesConcurrentMax, {
      getExchangeParties: async ({ transactionId }) => ({
        parties: await findExchangeParties(database, transactionId),
      }),
      findUnreviewedExchange: async ({ universe, callerAgentId, receiverAgentId, ...ids }) => {
        const pair = { callerAgentId, receiverAgentId, universe: universeKey(universe) };
        const reviewed = await findReviewedBy(database, pair, ids, new Date());
        return { transactionId: reviewed ?? (await findUnreviewedExchange(database, pair)) };
      },
      getReviewFacts: reviewFacts(database),
      selectReviews: (question) => findSelectedReviews(database, question),
    }),
  };
}
