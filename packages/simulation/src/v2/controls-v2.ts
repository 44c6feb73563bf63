import { trustPriorOf } from '@agent-trust/domain';
import {
  averagesOfAgent,
  type Entry,
  parsePolicyV2,
  type PolicyConstantsV2,
  recordOf,
  rulesOfV2,
  TrustLedgerV2,
  type TrustPolicyV2,
  verdictAt,
  viewOfEntries,
} from '@agent-trust/trust-policy';
import { plainMean } from '../scoring/controls.ts';
import type { Scoring } from '../scoring/scoring.ts';
import { scoringByPolicyV2 } from './scoring-v2.ts';

type Control = (policy: TrustPolicyV2) => Scoring;

const variantOf = (policy: TrustPolicyV2, constants: Partial<PolicyConstantsV2>): TrustPolicyV2 =>
  parsePolicyV2({ ...policy, name: 'control', constants: { ...policy.constants, ...constants } });

const withConstants =
  (constants: Partial<PolicyConstantsV2>): Control =>
  (policy) =>
    scoringByPolicyV2(variantOf(policy, constants));

type Asked = { agent: string; base: number; organisation: string | null };

/** Scores by v2, but of agents in another way, which may look into what v2 holds. */
const withOtherScores = (
  policy: TrustPolicyV2,
  scoreOf: (asked: Asked, ledger: TrustLedgerV2) => number,
  onReview: (receiver: Asked, review: Parameters<Scoring['record']>[1], own: Entry['own']) => void = () => {},
): Scoring => {
  const ledger = new TrustLedgerV2(policy);
  const scoring = scoringByPolicyV2(policy, undefined, ledger);
  const agents = new Map<string, Asked>();
  const known = (agent: string): Asked => {
    const found = agents.get(agent);
    if (found === undefined) throw new Error(`agent ${agent} is not registered`);
    return found;
  };
  return {
    ...scoring,
    setPrior: (agent, base, organisation = null) => {
      agents.set(agent, { agent, base, organisation });
      scoring.setPrior(agent, base, organisation);
    },
    adopt: (agent, organisation) => {
      agents.set(agent, { ...known(agent), organisation });
      scoring.adopt?.(agent, organisation);
    },
    record: (receiver, review) => {
      const { organisation } = known(review.reviewer);
      const own = organisation === null ? null : { organisation, isEstablished: ledger.isEstablished(organisation) };
      onReview(known(receiver), review, own);
      scoring.record(receiver, review);
    },
    score: (agent) => scoreOf(known(agent), ledger),
  };
};

/** The score of an agent by v2 if its organisation's record were another. */
const scoreWith = (
  ledger: TrustLedgerV2,
  { agent, base, organisation }: Asked,
  recordOfOrganisation: (organisation: string) => number,
  policy: TrustPolicyV2,
): number => {
  const rules = rulesOfV2(policy);
  const { line } = averagesOfAgent(ledger.account({ kind: 'agent', id: agent }).view(), base, rules);
  const prior = organisation === null ? base : Math.min(base, recordOfOrganisation(organisation));
  return verdictAt(line, prior, rules).score;
};

/** What an organisation answers for lowers the prior of its agents, too. */
const answeringWithPrior: Control = (policy) =>
  withOtherScores(policy, (asked, ledger) => scoreWith(ledger, asked, (id) => ledger.standing(id), policy));

/** The cap of organisations that are not established holds for their praise of unaffiliated agents alone. */
const capForUnaffiliated: Control = (policy) => {
  const uncapped = variantOf(policy, { newRootShareMax: policy.constants.rootShareMax });
  return withOtherScores(policy, (asked, ledger) =>
    asked.base === trustPriorOf(false)
      ? ledger.verdict(asked.agent).score
      : scoreWith(ledger, asked, (id) => ledger.record(id), uncapped),
  );
};

/** In records, too, unaffiliated reviewers speak with the voices of those who raised them. */
const recordsByRaisers: Control = (policy) => {
  const rules = rulesOfV2(policy);
  const entries = new Map<string, Entry[]>();
  const records = new Map<string, number>();
  const recordOfOrganisation = (id: string): number => {
    const known = records.get(id);
    if (known !== undefined) return known;
    const { record } = recordOf(viewOfEntries(entries.get(id) ?? [], rules), rules);
    records.set(id, record);
    return record;
  };
  return withOtherScores(
    policy,
    (asked, ledger) => scoreWith(ledger, asked, recordOfOrganisation, policy),
    ({ organisation }, review, own) => {
      if (organisation === null) return;
      const about = entries.get(organisation) ?? [];
      about.push({ ...review, own });
      entries.set(organisation, about);
      records.delete(organisation);
    },
  );
};

/** Ways of scoring that must miss the gates of the figures that name them: v2 without one of its protections, or none at all. */
export const controlsV2 = {
  'plain mean': (policy) => ({ ...plainMean(policy), hasStanding: true }),
  'no cap': withConstants({ rootShareMax: 1, newRootShareMax: 1 }),
  'new roots have 20 percent': (policy) =>
    scoringByPolicyV2(variantOf(policy, { newRootShareMax: policy.constants.rootShareMax })),
  'no third voice': withConstants({ priorLiftMax: 0 }),
  'fast fall by one root': withConstants({ fallRootsMin: 1 }),
  'recent without limit': withConstants({ recentMax: 1000 }),
  'nobody answers': withConstants({ answerShareMin: 1 }),
  'every raiser answers': withConstants({ answerShareMin: 0 }),
  'answering with the prior': answeringWithPrior,
  'every raiser answers, with the prior': (policy) => answeringWithPrior(variantOf(policy, { answerShareMin: 0 })),
  'cap for unaffiliated agents only': capForUnaffiliated,
  "records with raisers' roots": recordsByRaisers,
  // Each agent of an organisation that burns its agents is an organisation of its own.
  'no record': (policy) =>
    scoringByPolicyV2(policy, (organisation, agent) => (organisation === 'minted.test' ? agent : organisation)),
  // Agents of an organisation with several domains are named `<organisation>@<domain>/…`.
  'root = domain': (policy) =>
    scoringByPolicyV2(policy, (organisation, agent) => /@([^/]+)\//.exec(agent)?.[1] ?? organisation),
} as const satisfies Record<string, Control>;

export type ControlNameV2 = keyof typeof controlsV2;
