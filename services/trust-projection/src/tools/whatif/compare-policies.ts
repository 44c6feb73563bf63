import { cautionScoreMin, trustedScoreMin } from '@agent-trust/domain';
import type { EventLog } from '@agent-trust/event-log';
import type { ReplayProgress } from '@agent-trust/projections';
import { priorOf, TrustLedger, type TrustPolicy, type TrustScore } from '@agent-trust/trust-policy';
import { readTrustLog } from './read-trust-log.ts';

/** Scores at which consumers decide otherwise, highest first. */
export const thresholds = [trustedScoreMin, cautionScoreMin] as const;

/** A threshold that an agent's score passes: `rises` to it or above, or `falls` below it. */
export type Crossing = { threshold: number; direction: 'rises' | 'falls' };

/** An agent whose published score would be another. */
export type Move = {
  agentId: string;
  universe: 'production' | 'sandbox';
  before: TrustScore;
  after: TrustScore;
  crosses: Crossing[];
};

export type PolicyComparison = {
  position: bigint | null;
  events: number;
  agents: number;
  /** Reviews that count for a score: those of production. */
  reviews: number;
  /** Every agent that moves: first those that cross a threshold, then by how far, then by agent_id. */
  moves: Move[];
};

/** Computes every score of the log under two policies, in memory. Reviewers weigh in both as their reviews have frozen it. */
export async function comparePolicies(
  log: EventLog,
  policies: { from: TrustPolicy; to: TrustPolicy },
  options: { onProgress?: (progress: ReplayProgress) => void; signal?: AbortSignal } = {},
): Promise<PolicyComparison> {
  const from = new TrustLedger(policies.from);
  const to = new TrustLedger(policies.to);
  const universes = new Map<string, Move['universe']>();
  let reviews = 0;
  const position = await log.headPosition();
  const events = await readTrustLog(
    log,
    position,
    {
      registered: (agent) => {
        from.setPrior(agent.agentId, priorOf(policies.from, agent));
        to.setPrior(agent.agentId, priorOf(policies.to, agent));
      },
      moved: (agentId, universe) => void universes.set(agentId, universe),
      reviewed: (agentId, review) => {
        reviews += 1;
        from.record(agentId, review);
        to.record(agentId, review);
      },
      recounted: (agentId, recorded) => {
        from.recount(agentId, recorded);
        to.recount(agentId, recorded);
      },
    },
    options,
  );
  const moves: Move[] = [];
  for (const [agentId, universe] of universes) {
    const before = from.score(agentId);
    const after = to.score(agentId);
    if (before.score === after.score) continue;
    moves.push({ agentId, universe, before, after, crosses: crossingsOf(before.score, after.score) });
  }
  moves.sort(byWeightOfMove);
  return { position, events, agents: universes.size, reviews, moves };
}

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
