import { rootsOfReviewer } from '@agent-trust/trust-policy';
import {
  findExchangeParties,
  findOverdueExchanges,
  findUnreviewedExchange,
} from '../../projector/read-models/exchange-ledger/queries.ts';
import { findReviewerStanding } from '../../projector/read-models/trust-evidence/queries.ts';
import { policiesOf } from '../../projector/read-models/trust-policy/queries.ts';
import { universeKey, universeOfKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { within } from '../../shared/within.ts';
import type { QueryContext } from '../registry-queries.ts';

/** What the services that record exchanges, reviews and settlements ask first. */
export function exchangeMethods({ database }: QueryContext) {
  const policyNamed = policiesOf(database);
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
      getReviewerStanding: async ({ agentId }) => {
        const found = await findReviewerStanding(database, agentId);
        if (found === null) return { standing: null };
        const { universe, orgId, orgDomain, trustPolicy, trustScore, evidence } = found;
        const roots = rootsOfReviewer({ orgDomain, evidence }, await policyNamed(trustPolicy));
        return { standing: { universe: universeOfKey(universe), orgId, orgDomain, trustScore, roots } };
      },
    }),
  };
}
