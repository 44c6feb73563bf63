import { priorOf, TrustLedger, type TrustPolicy } from '@agent-trust/trust-policy';
import type { PlaceInLog, TrustLogReader } from './read-trust-log.ts';

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
  policies: { from: TrustPolicy; to: TrustPolicy },
  pointsMax: number,
): { reader: TrustLogReader; historyOf: (agentId: string) => ScoreHistory } {
  const from = new TrustLedger(policies.from);
  const to = new TrustLedger(policies.to);
  const histories = new Map<string, ScoreHistory>();
  const note = (agentId: string, { position, recordedAt }: PlaceInLog): void => {
    const history = histories.get(agentId) ?? { points: [], isThinned: false };
    histories.set(agentId, history);
    const point = { position, at: recordedAt, from: from.score(agentId).score, to: to.score(agentId).score };
    const last = history.points.at(-1);
    if (last?.from === point.from && last.to === point.to) return;
    history.points.push(point);
    if (history.points.length >= pointsMax * 2) thin(history, pointsMax);
  };
  return {
    reader: {
      registered: (agent, place) => {
        const { agentId } = agent;
        if (!agents.has(agentId)) return;
        from.setPrior(agentId, priorOf(policies.from, agent));
        to.setPrior(agentId, priorOf(policies.to, agent));
        note(agentId, place);
      },
      reviewed: (agentId, review, place) => {
        if (!agents.has(agentId)) return;
        from.record(agentId, review);
        to.record(agentId, review);
        note(agentId, place);
      },
      recounted: (agentId, reviews, place) => {
        if (!agents.has(agentId)) return;
        from.recount(agentId, reviews);
        to.recount(agentId, reviews);
        note(agentId, place);
      },
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
