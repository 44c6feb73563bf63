import type { AnyTrustPolicy } from '@agent-trust/trust-policy';
import type { TrustLogFollower } from './read-trust-log.ts';
import { scoresUnder } from './scores-under.ts';

/** The scores of an agent by two policies after an event. */
export type ScorePoint = { position: bigint; at: Date; from: number; to: number };

/** Points of a chart, oldest first; `isThinned` where there were too many to keep all. */
export type ScoreHistory = { points: ScorePoint[]; isThinned: boolean };

/**
 * Follows the scores of some agents by two policies. Keeps at most twice `pointsMax` points of each in memory and returns at most
 * `pointsMax`, always with the first and the last.
 */
export function followScores(
  agents: ReadonlySet<string>,
  policies: { from: AnyTrustPolicy; to: AnyTrustPolicy },
  { pointsMax, hasVoided }: { pointsMax: number; hasVoided: boolean },
): { follow: TrustLogFollower; historyOf: (agentId: string) => ScoreHistory } {
  const from = scoresUnder(policies.from, { only: agents, hasVoided });
  const to = scoresUnder(policies.to, { only: agents, hasVoided });
  const histories = new Map<string, ScoreHistory>();
  const note = (agentId: string, { position, recordedAt }: Parameters<TrustLogFollower>[0]): void => {
    const history = histories.get(agentId) ?? { points: [], isThinned: false };
    histories.set(agentId, history);
    const point = { position, at: recordedAt, from: from.verdict(agentId).score, to: to.verdict(agentId).score };
    const last = history.points.at(-1);
    if (last?.from === point.from && last.to === point.to) return;
    history.points.push(point);
    if (history.points.length >= pointsMax * 2) thin(history, pointsMax);
  };
  return {
    follow: (event) => {
      const scored = new Set([...from.follow(event), ...to.follow(event)]);
      for (const agentId of scored) if (agents.has(agentId)) note(agentId, event);
    },
    historyOf: (agentId) => {
      const history = histories.get(agentId) ?? { points: [], isThinned: false };
      if (history.points.length > pointsMax) thin(history, pointsMax);
      return history;
    },
  };
}

const thin = (history: ScoreHistory, pointsMax: number): void => {
  const { points } = history;
  const last = points.length - 1;
  const chosen = Array.from({ length: pointsMax }, (_, index) => Math.round((index * last) / (pointsMax - 1)));
  history.points = [...new Set(chosen)].flatMap((index) => points[index] ?? []);
  history.isThinned = true;
};
