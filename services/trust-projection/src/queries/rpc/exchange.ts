import {
  findExchangeParties,
  findOverdueExchanges,
  findUnreviewedExchange,
} from '../../projector/read-models/exchange-ledger/queries.ts';
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
      findUnreviewedExchange: async ({ universe, ...parties }) => ({
        transactionId: await findUnreviewedExchange(database, { ...parties, universe: universeKey(universe) }),
      }),
      getReviewFacts: reviewFacts(database),
    }),
  };
}
