import type { EventLog } from '@agent-trust/event-log';
import type { ReplayProgress } from '@agent-trust/projections';
import type { AnyTrustPolicy } from '@agent-trust/trust-policy';
import { pointsMin } from './changed-parts.ts';
import type { Move, PolicyComparison } from './compare-policies.ts';
import type { PolicyChange } from './policy-changes.ts';
import { readTrustLog, type TrustLogFollower } from './read-trust-log.ts';
import { scoresUnder } from './scores-under.ts';

/** What one changed constant would do to an agent's score alone, in points, unrounded. */
export type Effect = { constant: string; points: number };

/** Of each agent, largest first. They need not sum to the whole change: constants act on each other. */
export type SingleEffects = ReadonlyMap<string, Effect[]>;

type Alone = { constant: string; policy: AnyTrustPolicy };

/**
 * Computes what each changed constant would do by itself to some agents. The log is read again: once for all constants of formula v1; of formula v2, which
 * has to follow all agents, once for each of them, so that no more than one policy is in memory. Between formulas there are no effects.
 *
 * @param options.follow what else is done with what is read then, once; the log is read again for it in any case
 */
export async function singleEffects(
  log: EventLog,
  { position, hasVoided, moves }: Pick<PolicyComparison, 'position' | 'hasVoided'> & { moves: readonly Move[] },
  changes: readonly PolicyChange[],
  options: {
    onProgress?: (progress: ReplayProgress) => void;
    signal?: AbortSignal;
    follow?: TrustLogFollower;
  } = {},
): Promise<SingleEffects> {
  const effects = new Map(moves.map(({ agentId }) => [agentId, [] as Effect[]]));
  const alone = changes.flatMap(({ constant, alone: policy }): Alone[] =>
    policy === null ? [] : [{ constant, policy }],
  );
  const [only] = alone;
  if (alone.length === 1 && only !== undefined) {
    // With a single change its effect is the move itself.
    for (const { agentId, before, after } of moves) {
      effects.get(agentId)?.push({ constant: only.constant, points: after.unrounded - before.unrounded });
    }
  }
  const rounds = roundsOf(alone.length > 1 ? alone : []);
  // Each ledger of formula v2 has all agents, and what follows has two of them.
  if (options.follow !== undefined && rounds[0]?.[0]?.policy.formula !== 'v1') rounds.unshift([]);
  if (moves.length === 0) return effects;
  const shown = new Set(effects.keys());
  for (const [round, policies] of rounds.entries()) {
    const followed = policies.map(({ constant, policy }) => ({
      constant,
      scores: scoresUnder(policy, { only: shown, hasVoided }),
    }));
    const followers: TrustLogFollower[] = followed.map(({ scores }) => scores.follow);
    if (round === 0 && options.follow !== undefined) followers.push(options.follow);
    await readTrustLog(log, position, followers, { ...options, ...progressOfRound(round, rounds.length, options) });
    for (const { constant, scores } of followed) {
      for (const { agentId, before } of moves) {
        const points = scores.verdict(agentId).unrounded - before.unrounded;
        if (Math.abs(points) > pointsMin) effects.get(agentId)?.push({ constant, points });
      }
    }
  }
  for (const each of effects.values()) each.sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  return effects;
}

const roundsOf = (alone: readonly Alone[]): Alone[][] =>
  alone[0]?.policy.formula === 'v2' ? alone.map((each) => [each]) : alone.length === 0 ? [] : [[...alone]];

/** The progress of one reading of several as that of all of them. */
const progressOfRound = (
  round: number,
  rounds: number,
  { onProgress }: { onProgress?: (progress: ReplayProgress) => void },
): { onProgress?: (progress: ReplayProgress) => void } =>
  onProgress === undefined
    ? {}
    : { onProgress: (progress) => onProgress({ ...progress, fraction: (round + progress.fraction) / rounds }) };
