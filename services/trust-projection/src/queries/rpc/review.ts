import { findUnreviewedExchange, getReviewerStanding } from '@agent-trust/contracts';
import { rootsOfReviewer } from '@agent-trust/trust-policy';
import { queryLimits } from '../../limits.ts';
import { findUnreviewedExchange as findInLedger } from '../../projector/read-models/exchange-ledger/queries.ts';
import { findReviewerStanding } from '../../projector/read-models/trust-evidence/queries.ts';
import { policiesOf } from '../../projector/read-models/trust-policy/queries.ts';
import { universeKey, universeOfKey } from '../../projector/read-models/universe-key.ts';
import type { QueryContext } from './context.ts';

/** What registry-write asks before it records a review. */
export async function serveReviews({ rpc, database }: QueryContext): Promise<void> {
  const options = { concurrentMax: queryLimits.queriesConcurrentMax };
  const policyNamed = policiesOf(database);
  await rpc.serve(
    getReviewerStanding,
    async ({ agentId }) => {
      const found = await findReviewerStanding(database, agentId);
      if (found === null) return { standing: null };
      const { universe, orgId, orgDomain, trustPolicy, trustScore, evidence } = found;
      const roots = rootsOfReviewer({ orgDomain, evidence }, await policyNamed(trustPolicy));
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
}
