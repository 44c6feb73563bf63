import {
  parsePolicyV2,
  type PolicyConstantsV2,
  policyV2,
  splitOf,
  TrustLedgerV2,
  type TrustPolicyV2,
} from '@agent-trust/trust-policy';
import type { Scoring } from '../scoring/scoring.ts';

/**
 * Scores by a policy of formula v2, carried forward event by event.
 *
 * @param organisationOf what counts as the organisation of an agent; a control takes its domain
 */
export function scoringByPolicyV2(
  policy: TrustPolicyV2 = policyV2,
  organisationOf: (organisation: string | null, agent: string) => string | null = (organisation) => organisation,
): Scoring {
  const ledger = new TrustLedgerV2(policy);
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

const changed = (name: string, constants: Partial<PolicyConstantsV2>) => (): Scoring =>
  scoringByPolicyV2(
    parsePolicyV2({ ...policyV2, name: `v2-${name}`, constants: { ...policyV2.constants, ...constants } }),
  );

const plainMean = (): Scoring => {
  const agents = new Map<string, { prior: number; sum: number; count: number }>();
  return {
    hasStanding: true,
    setPrior: (agent, prior) => void agents.set(agent, { prior, sum: 0, count: 0 }),
    record: (agent, { success, score }) => {
      const held = agents.get(agent);
      if (held === undefined) throw new Error(`agent ${agent} was reviewed but never registered`);
      held.sum += ((score - 1) / 9) * (success ? 1 : policyV2.constants.failureFactor);
      held.count += 1;
    },
    score: (agent) => {
      const { prior, sum, count } = agents.get(agent) ?? { prior: 0, sum: 0, count: 0 };
      return Math.floor((count === 0 ? prior : (100 * sum) / count) + 0.5);
    },
    rootsOf: (_agent, orgDomain) => splitOf(orgDomain, null),
  };
};

/** Ways of scoring that must miss the gates of the rows that name them: v2 without one of its protections, or none at all. */
export const controlsV2 = {
  'plain mean': plainMean,
  'no cap': changed('no-cap', { rootShareMax: 1, newRootShareMax: 1 }),
  'new roots have 20 percent': changed('no-e', { newRootShareMax: 0.2 }),
  'no third voice': changed('no-voice', { priorLiftMax: 0 }),
  'fast fall by one root': changed('one-root', { fallRootsMin: 1 }),
  'recent without limit': changed('unlimited', { recentMax: 1000 }),
  'nobody answers': changed('silent', { answerShareMin: 1 }),
  // Each agent of an organisation that burns its agents is an organisation of its own.
  'no record': () =>
    scoringByPolicyV2(policyV2, (organisation, agent) => (organisation === 'minted.test' ? agent : organisation)),
  // Agents of an organisation with several domains are named `<organisation>@<domain>/…`.
  'root = domain': () =>
    scoringByPolicyV2(policyV2, (organisation, agent) => /@([^/]+)\//.exec(agent)?.[1] ?? organisation),
} as const satisfies Record<string, () => Scoring>;

export type ControlNameV2 = keyof typeof controlsV2;
