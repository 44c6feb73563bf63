import { policyV2, TrustLedgerV2, type TrustPolicyV2 } from '@agent-trust/trust-policy';
import type { Scoring } from '../scoring/scoring.ts';

/**
 * Scores by a policy of formula v2, carried forward event by event.
 *
 * @param organisationOf what counts as the organisation of an agent; a control takes its domain
 * @param ledger another one if the caller looks into it
 */
export function scoringByPolicyV2(
  policy: TrustPolicyV2 = policyV2,
  organisationOf: (organisation: string | null, agent: string) => string | null = (organisation) => organisation,
  ledger: TrustLedgerV2 = new TrustLedgerV2(policy),
): Scoring {
  const organisations = new Map<string, string | null>();
  let reviews = 0;
  return {
    hasStanding: true,
    setPrior: (agent, base, given = null) => {
      const organisation = organisationOf(given, agent);
      organisations.set(agent, organisation);
      ledger.apply({ type: 'registered', agent, organisation, base });
    },
    record: (receiver, { reviewer, roots, trust, ...said }) => {
      reviews += 1;
      const organisation = organisations.get(reviewer) ?? null;
      const by = { agent: reviewer, organisation, orgDomain: null, trust, roots };
      const review = { id: String(reviews), receiver, reviewer: by, inProduction: true, ...said };
      ledger.apply({ type: 'reviewed', review });
    },
    score: (agent) => ledger.verdict(agent).score,
    rootsOf: (agent) => ledger.rootsOf(agent, null),
    adopt: (agent, organisation) => {
      organisations.set(agent, organisation);
      ledger.apply({ type: 'adopted', agent, organisation });
    },
    isEstablished: (organisation) => ledger.isEstablished(organisation),
  };
}
