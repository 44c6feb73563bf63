import { findUnreviewedExchange, getReviewerStanding } from '@agent-trust/contracts';
import { policyV1, rootsOfReviewer } from '@agent-trust/trust-policy';
import { queryLimits } from '../limits.ts';
import { findUnreviewedExchange as findInLedger } from '../read-models/exchange-ledger/queries.ts';
import { findReviewerStanding } from '../read-models/trust-evidence/queries.ts';
import { universeKey, universeOfKey } from '../read-models/universe-key.ts';
import type { QueryContext } from './context.ts';

/** What registry-write asks before it records a review. */
export const serveReviews = async ({ rpc, database }: QueryContext): Promise<void> => {
  const options = { concurrentMax: queryLimits.queriesConcurrentMax };
  await rpc.serve(
    getReviewerStanding,
    async ({ agentId }) => {
      const found = await findReviewerStanding(database, agentId);
      if (found === null) return { standing: null };
      const { universe, orgId, orgDomain, trustScore, evidence } = found;
      const roots = rootsOfReviewer({ orgDomain, evidence }, policyV1);
      return { standing: { universe: universeOfKey(universe), orgId, orgDomain, trustScore, roots } };
    },
    options,
  );
  await rpc.serve(
    findUnreviewedExchange,
    async ({ callerAgentId, receiverAgentId, universe }) => ({
      transactionId: await findInLedger(database, {
        callerAgentId,
        receiverAgentId,
        universe: universeKey(universe),
      }),
    }),
    options,
  );
};
