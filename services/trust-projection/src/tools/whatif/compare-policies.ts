import { cautionScoreMin, trustedScoreMin } from '@agent-trust/domain';
import type { EventLog } from '@agent-trust/event-log';
import type { ReplayProgress } from '@agent-trust/projections';
import type { AnyTrustPolicy, Verdict } from '@agent-trust/trust-policy';
import { countingReview } from '../../projector/read-models/trust-evidence/reviewed.ts';
import { readTrustLog, type TrustLogFollower } from './read-trust-log.ts';
import { type ExplainedScore, scoresUnder, VoidedReviewsError } from './scores-under.ts';

type Policies = { from: AnyTrustPolicy; to: AnyTrustPolicy };
type CompareOptions = { onProgress?: (progress: ReplayProgress) => void; signal?: AbortSignal };

/** Scores at which consumers decide otherwise, highest first. */
export const thresholds = [trustedScoreMin, cautionScoreMin] as const;

/** A threshold that an agent's score passes: `rises` to it or above, or `falls` below it. */
export type Crossing = { threshold: number; direction: 'rises' | 'falls' };

/** An agent whose published score would be another. */
export type Move = {
  agentId: string;
  universe: 'production' | 'sandbox';
  before: Verdict;
  after: Verdict;
  crosses: Crossing[];
};

/** The same with the parts of both scores. */
export type ExplainedMove = Move & { before: ExplainedScore; after: ExplainedScore };

export type PolicyComparison = {
  position: bigint | null;
  events: number;
  agents: number;
  /** Reviews that count for a score: those of production. */
  reviews: number;
  /** Whether some reviews of the log were voided. */
  hasVoided: boolean;
  /** Every agent that moves: first those that cross a threshold, then by how far, then by agent_id. */
  moves: Move[];
  /** The first of them. */
  explained: ExplainedMove[];
};

/**
 * Computes every score of the log under two policies, in memory. Reviewers weigh in both as their reviews have frozen it. A log with voided reviews is
 * read again from its beginning when the first is met, now with each review kept in memory: few logs have any, and it is much.
 *
 * @param explainedMax most moves that are explained
 */
export async function comparePolicies(
  log: EventLog,
  policies: Policies,
  explainedMax: number,
  options: CompareOptions = {},
): Promise<PolicyComparison> {
  try {
    return await compare(log, policies, { explainedMax, hasVoided: false }, options);
  } catch (error) {
    if (!(error instanceof VoidedReviewsError)) throw error;
    return await compare(log, policies, { explainedMax, hasVoided: true }, options);
  }
}

const compare = async (
  log: EventLog,
  policies: Policies,
  { explainedMax, hasVoided }: { explainedMax: number; hasVoided: boolean },
  options: CompareOptions,
): Promise<PolicyComparison> => {
  const from = scoresUnder(policies.from, { hasVoided });
  const to = scoresUnder(policies.to, { hasVoided });
  const universes = new Map<string, Move['universe']>();
  let reviews = 0;
  const count: TrustLogFollower = (event) => {
    if (event.type === 'AgentRegistered') universes.set(event.data.agentId, event.data.universe.kind);
    if (event.type === 'AgentPublished') universes.set(event.data.agentId, 'production');
    if (event.type === 'AgentWithdrawn') universes.set(event.data.agentId, 'sandbox');
    if (countingReview(event) !== null) reviews += 1;
  };
  const position = await log.headPosition();
  const events = await readTrustLog(log, position, [count, from.follow, to.follow], options);
  const moves: Move[] = [];
  for (const [agentId, universe] of universes) {
    const before = from.verdict(agentId);
    const after = to.verdict(agentId);
    if (before.score === after.score) continue;
    moves.push({ agentId, universe, before, after, crosses: crossingsOf(before.score, after.score) });
  }
  moves.sort(byWeightOfMove);
  const explained = moves.slice(0, explainedMax).map((move) => ({
    ...move,
    before: from.explain(move.agentId),
    after: to.explain(move.agentId),
  }));
  return { position, events, agents: universes.size, reviews, hasVoided, moves, explained };
};

/** The thresholds between two scores. */
export function crossingsOf(before: number, after: number): Crossing[] {
  return thresholds
    .filter((threshold) => before >= threshold !== after >= threshold)
    .map((threshold) => ({ threshold, direction: after >= threshold ? 'rises' : 'falls' }));
}

/** How far an agent's published score moves; negative where it falls. */
export function changeOf({ before, after }: Pick<Move, 'before' | 'after'>): number {
  return after.score - before.score;
}

const byWeightOfMove = (a: Move, b: Move): number =>
  b.crosses.length - a.crosses.length ||
  Math.abs(changeOf(b)) - Math.abs(changeOf(a)) ||
  (a.agentId < b.agentId ? -1 : 1);
