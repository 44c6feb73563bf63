import {
  type AnyTrustPolicy,
  contributionsOf,
  effectiveTime,
  priorOf,
  type RecordedReview,
  TrustLedger,
  TrustLedgerV2,
  type TrustPolicy,
  type TrustPolicyV2,
  type Verdict,
} from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { countingReview, policyReview } from '../../projector/read-models/trust-evidence/reviewed.ts';
import { trustEventOf } from '../../projector/read-models/trust-evidence/v2/trust-event-of.ts';

/** A part of a score; the points of all sum to it. */
export type ScorePart = {
  kind: 'prior' | 'record' | 'third_voice' | 'root';
  /** Of a root and of the third voice: whose it is. Of a record: the organisation. Null for the prior. */
  root: string | null;
  points: number;
  /** Of a root: the largest share of all weight that it may have, and whether that cut it. */
  cap: number | null;
  isCut: boolean;
  /** Of a root under formula v2: whether it was established when it spoke last. */
  established: boolean | null;
};

/** A score with its parts, and under formula v2 the record of the agent's organisation. */
export type ExplainedScore = Verdict & { parts: ScorePart[]; organisation: { id: string; record: number } | null };

/** The scores of agents under one policy, in memory. */
export type ScoresUnder = {
  /** Follows an event of the log. Returns the agents whose scores it may have changed. */
  follow: (event: ProjectedRegistryEvent) => readonly string[];
  /** Throws for an agent that was not registered. */
  verdict: (agentId: string) => Verdict;
  explain: (agentId: string) => ExplainedScore;
};

export type Followed = {
  /** The agents that are asked for; a policy of formula v2 follows all, because records are made of all. Default: all. */
  only?: ReadonlySet<string>;
  /** Whether the log has reviews that were voided: each review then stays in memory, which takes about twice as much. */
  hasVoided: boolean;
};

/** Follows a log under a policy of any formula. */
export function scoresUnder(policy: AnyTrustPolicy, followed: Followed): ScoresUnder {
  return policy.formula === 'v1' ? scoresUnderV1(policy, followed) : scoresUnderV2(policy, followed);
}

/** Reviews are voided in a log of which it was said that it has none such. */
export class VoidedReviewsError extends Error {
  override readonly name = 'VoidedReviewsError';

  constructor() {
    super('the log has voided reviews');
  }
}

const nobody: readonly string[] = [];

/** The reviews of production that each agent received, because some may be voided later. */
type Received = Map<string, (RecordedReview & { transactionId: string })[]>;

const scoresUnderV1 = (policy: TrustPolicy, { only, hasVoided }: Followed): ScoresUnder => {
  const ledger = new TrustLedger(policy);
  const received: Received = new Map();
  const isAsked = (agentId: string): boolean => only === undefined || only.has(agentId);
  const follow: ScoresUnder['follow'] = (event) => {
    if (event.type === 'AgentRegistered') {
      const { agentId } = event.data;
      if (!isAsked(agentId)) return nobody;
      ledger.setPrior(agentId, priorOf(policy, event.data));
      return [agentId];
    }
    if (event.type === 'ReviewsVoided') {
      const { agentId, transactionIds } = event.data;
      if (!hasVoided) throw new VoidedReviewsError();
      if (!isAsked(agentId)) return nobody;
      const named = new Set(transactionIds);
      const reviews = received.get(agentId) ?? [];
      for (const each of reviews) each.isVoid ||= named.has(each.transactionId);
      ledger.recount(agentId, reviews);
      return [agentId];
    }
    const reviewed = countingReview(event);
    if (reviewed === null) return nobody;
    const { receiverAgentId: agentId, transactionId } = reviewed.data;
    if (!isAsked(agentId)) return nobody;
    // A review counts as made no earlier than the newest one that counts then, and keeps that time.
    const made = policyReview(reviewed);
    const review = { ...made, reviewedAt: effectiveTime(ledger.evidence(agentId), made) };
    ledger.record(agentId, review);
    if (!hasVoided) return [agentId];
    const reviews = received.get(agentId) ?? [];
    reviews.push({ transactionId, review, isVoid: false });
    received.set(agentId, reviews);
    return [agentId];
  };
  return {
    follow,
    verdict: (agentId) => {
      const { score, unrounded, basis } = ledger.score(agentId);
      return { score, unrounded, basis };
    },
    explain: (agentId) => {
      const score = ledger.score(agentId);
      const { rootShareMax } = policy.constants;
      const parts = contributionsOf(score).map(({ kind, root, points, weight, cappedWeight }): ScorePart => {
        const isRoot = kind === 'root';
        const cap = isRoot ? rootShareMax : null;
        return { kind, root, points, cap, isCut: isRoot && cappedWeight < weight, established: null };
      });
      return { score: score.score, unrounded: score.unrounded, basis: score.basis, parts, organisation: null };
    },
  };
};

const scoresUnderV2 = (policy: TrustPolicyV2, { hasVoided }: Followed): ScoresUnder => {
  const scored = new Set<string>();
  const ledger = new TrustLedgerV2(policy, { onScored: (agent) => scored.add(agent), remembers: hasVoided });
  return {
    follow: (event) => {
      const read = trustEventOf(event);
      if (read === null) return nobody;
      if (read.type === 'voided' && !hasVoided) throw new VoidedReviewsError();
      scored.clear();
      ledger.apply(read);
      return [...scored];
    },
    verdict: (agentId) => ledger.verdict(agentId),
    explain: (agentId) => {
      const { score, unrounded, basis, contributions, organisation } = ledger.explain(agentId);
      const parts = contributions.map((line): ScorePart => {
        const { kind, points } = line;
        const root = line.kind === 'record' ? line.organisation : line.root;
        const isRoot = line.kind === 'root';
        return {
          kind,
          root,
          points,
          cap: isRoot ? line.cap : null,
          isCut: isRoot && line.cappedWeight < line.weight,
          established: isRoot ? line.established : null,
        };
      });
      return { score, unrounded, basis, parts, organisation };
    },
  };
};
