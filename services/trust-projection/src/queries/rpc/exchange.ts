import {
  findUnreviewedExchange,
  getExchangeParties,
  getReviewerStanding,
  listOverdueExchanges,
} from '@agent-trust/contracts';
import { rootsOfReviewer } from '@agent-trust/trust-policy';
import {
  findExchangeParties,
  findOverdueExchanges,
  findUnreviewedExchange as findUnreviewed,
} from '../../projector/read-models/exchange-ledger/queries.ts';
import { findReviewerStanding } from '../../projector/read-models/trust-evidence/queries.ts';
import { policiesOf } from '../../projector/read-models/trust-policy/queries.ts';
import { universeKey, universeOfKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { serveWithin } from '../../shared/serve-within.ts';
import type { QueryContext } from './context.ts';

/** What the services that record exchanges, reviews and settlements ask first. */
export async function serveExchanges({ rpc, database }: QueryContext): Promise<void> {
  const serve = serveWithin(rpc, queryLimits.queriesConcurrentMax);
  const policyNamed = policiesOf(database);
  await serve(getExchangeParties, async ({ transactionId }) => ({
    parties: await findExchangeParties(database, transactionId),
  }));
  await serveWithin(rpc, queryLimits.overdueQueriesConcurrentMax)(listOverdueExchanges, async ({ countMax }) => ({
    transactionIds: await findOverdueExchanges(database, countMax),
  }));
  await serve(findUnreviewedExchange, async ({ universe, ...parties }) => ({
    transactionId: await findUnreviewed(database, { ...parties, universe: universeKey(universe) }),
  }));
  await serve(getReviewerStanding, async ({ agentId }) => {
    const found = await findReviewerStanding(database, agentId);
    if (found === null) return { standing: null };
    const { universe, orgId, orgDomain, trustPolicy, trustScore, evidence } = found;
    const roots = rootsOfReviewer({ orgDomain, evidence }, await policyNamed(trustPolicy));
    return { standing: { universe: universeOfKey(universe), orgId, orgDomain, trustScore, roots } };
  });
}
