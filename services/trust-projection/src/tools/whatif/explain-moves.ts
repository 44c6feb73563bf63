import type { EventLog } from '@agent-trust/event-log';
import type { ReplayProgress } from '@agent-trust/projections';
import { contributionsOf, priorOf, TrustLedger, type TrustPolicy } from '@agent-trust/trust-policy';
import type { PolicyChange } from './policy-changes.ts';
import type { Move, PolicyComparison } from './compare-policies.ts';
import { readTrustLog, type TrustLogReader } from './read-trust-log.ts';

/** What one changed constant would do to an agent's score alone, in points, unrounded. */
export type Effect = { constant: string; points: number };
/** What the prior, or one root domain, brings to a score before and after. */
export type ChangedPart = { kind: 'prior' | 'root'; root: string | null; before: number; after: number };

export type ExplainedMove = Move & {
  /** Largest first. They need not sum to the whole change: constants act on each other. */
  effects: Effect[];
  /** Largest change first. They do sum: the points of all parts are the score. */
  parts: ChangedPart[];
};

/** Smaller differences are noise of floating-point sums. */
const pointsMin = 1e-9;

/**
 * Explains some moves: the effect of each changed constant alone, for which the log is read again, and the parts of the score that change.
 *
 * @param options.follow what else is done with what is read then; the log is read again for it in any case
 */
export async function explainMoves(
  log: EventLog,
  comparison: Pick<PolicyComparison, 'position'>,
  moves: readonly Move[],
  changes: readonly PolicyChange[],
  options: {
    onProgress?: (progress: ReplayProgress) => void;
    signal?: AbortSignal;
    follow?: TrustLogReader;
  } = {},
): Promise<ExplainedMove[]> {
  const shown = new Set(moves.map(({ agentId }) => agentId));
  const alone = changes.map(({ constant, alone: policy }) => ({ constant, policy, ledger: new TrustLedger(policy) }));
  const { follow } = options;
  // With a single change its effect is the move itself.
  const counted = alone.length > 1 ? [countOnly(shown, alone)] : [];
  const readers = follow === undefined ? counted : [...counted, follow];
  if (readers.length > 0 && shown.size > 0) await readTrustLog(log, comparison.position, all(readers), options);
  return moves.map((move) => ({
    ...move,
    effects:
      alone.length === 1
        ? alone.map(({ constant }) => ({ constant, points: move.after.unrounded - move.before.unrounded }))
        : effectsOf(move, alone),
    parts: partsOf(move),
  }));
}

/** Several readers as one. */
const all = (readers: readonly TrustLogReader[]): TrustLogReader => ({
  registered: (...given) => readers.forEach((reader) => reader.registered(...given)),
  reviewed: (...given) => readers.forEach((reader) => reader.reviewed(...given)),
  recounted: (...given) => readers.forEach((reader) => reader.recounted(...given)),
});

const countOnly = (
  shown: ReadonlySet<string>,
  ledgers: readonly { policy: TrustPolicy; ledger: TrustLedger }[],
): TrustLogReader => ({
  registered: (agent) => {
    if (!shown.has(agent.agentId)) return;
    for (const { policy, ledger } of ledgers) ledger.setPrior(agent.agentId, priorOf(policy, agent));
  },
  reviewed: (agentId, review) => {
    if (!shown.has(agentId)) return;
    for (const { ledger } of ledgers) ledger.record(agentId, review);
  },
  recounted: (agentId, reviews) => {
    if (!shown.has(agentId)) return;
    for (const { ledger } of ledgers) ledger.recount(agentId, reviews);
  },
});

const effectsOf = (move: Move, ledgers: readonly { constant: string; ledger: TrustLedger }[]): Effect[] =>
  ledgers
    .map(({ constant, ledger }) => ({
      constant,
      points: ledger.score(move.agentId).unrounded - move.before.unrounded,
    }))
    .filter(({ points }) => Math.abs(points) > pointsMin)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));

const partsOf = ({ before, after }: Move): ChangedPart[] => {
  const parts = new Map<string | null, ChangedPart>();
  for (const { kind, root, points } of contributionsOf(before)) {
    parts.set(root, { kind, root, before: points, after: 0 });
  }
  for (const { kind, root, points } of contributionsOf(after)) {
    parts.set(root, { kind, root, before: parts.get(root)?.before ?? 0, after: points });
  }
  return [...parts.values()]
    .filter((part) => Math.abs(part.after - part.before) > pointsMin)
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
};
