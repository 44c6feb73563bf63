import type { PolicyJobProgress, PolicyTrialAgent, PolicyTrialDetail, PolicyTrialResult } from '@agent-trust/contracts';
import { openCheckedEventLog } from '@agent-trust/event-log';
import type { ReplayProgress } from '@agent-trust/projections';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';
import type { WorkHooks } from '../../jobs/reported-work.ts';
import { labLimits } from '../../policy-lab/limits.ts';
import type { LabItem, LabJob, LabStore } from '../../policy-lab/lab-store.ts';
import { ofFormulaV1 } from '../common/find-policy.ts';
import { changeOf, comparePolicies } from '../whatif/compare-policies.ts';
import { type ExplainedMove, explainMoves } from '../whatif/explain-moves.ts';
import { followScores, type ScoreHistory } from '../whatif/follow-scores.ts';
import { policyChanges } from '../whatif/policy-changes.ts';
import { crossingCounts, points } from '../whatif/report.ts';

/** Parts of the whole that the steps take, about: the log is read twice. */
const shares = { compare: [0, 0.5], explain: [0.5, 0.45], keep: [0.95, 0.05] } as const;

/** Compares a policy with the one in force, and keeps those that move first with the reasons and their scores over time. */
export async function runTrial({
  store,
  eventLogUrl,
  job: { jobId, request },
  onProgress,
  signal,
}: {
  store: LabStore;
  eventLogUrl: string;
  job: LabJob;
} & WorkHooks<PolicyJobProgress>): Promise<{ result: PolicyTrialResult; progress: PolicyJobProgress }> {
  const progressOf = (step: keyof typeof shares, done: number, total: number, part: number): PolicyJobProgress => {
    const [before, share] = shares[step];
    return { step, done, total, fraction: before + share * part };
  };
  const show = (step: keyof typeof shares) => (at: ReplayProgress) =>
    onProgress(progressOf(step, at.events, at.eventsTotal, at.fraction));
  onProgress(progressOf('compare', 0, 0, 0));

  await using resources = new AsyncDisposableStack();
  const log = resources.adopt(await openCheckedEventLog(eventLogUrl, { applicationName: 'policy-lab' }), (it) =>
    it.close(),
  );
  const to = request.policy;
  const inForce = (await readActivatedPolicies(log)).at(-1);
  if (inForce === undefined) throw new Error('there is always a trust policy');
  const from = ofFormulaV1(inForce, 'a trial');
  const comparison = await comparePolicies(log, { from, to }, { onProgress: show('compare'), signal });
  const { moves } = comparison;
  const kept = moves.slice(0, labLimits.agentsKeptMax);
  const changes = policyChanges(from, to);
  const scores = followScores(new Set(kept.map(({ agentId }) => agentId)), { from, to }, labLimits.historyPointsMax);
  const options = { onProgress: show('explain'), signal, follow: scores.reader };
  const explained = await explainMoves(log, comparison, kept, changes, options);
  for (let first = 0; first < explained.length; first += labLimits.agentsPerStatement) {
    signal.throwIfAborted();
    onProgress(progressOf('keep', first, explained.length, first / explained.length));
    const page = explained.slice(first, first + labLimits.agentsPerStatement);
    await store.keep(
      jobId,
      page.map((move, index) => itemOf(first + index, move, scores.historyOf(move.agentId))),
    );
  }
  const up = moves.filter((move) => changeOf(move) > 0).length;
  return {
    result: {
      inForce: from.name,
      position: comparison.position === null ? null : String(comparison.position),
      events: comparison.events,
      agents: comparison.agents,
      reviews: comparison.reviews,
      changes: changes.map(({ constant, before, after }) => ({ constant, inForce: before, onTrial: after })),
      moved: moves.length,
      up,
      down: moves.length - up,
      thresholds: crossingCounts(comparison),
      agentsKept: kept.length,
    },
    progress: progressOf('keep', kept.length, kept.length, 1),
  };
}

type Detail = Omit<PolicyTrialDetail, keyof PolicyTrialAgent>;

const itemOf = (ordinal: number, move: ExplainedMove, { points: history, isThinned }: ScoreHistory): LabItem => {
  const { agentId, universe, before, after, crosses, effects, parts } = move;
  const shown: PolicyTrialAgent = {
    agentId,
    universe,
    trustScore: before.score,
    trialScore: after.score,
    change: changeOf(move),
    crosses,
  };
  const detail: Detail = {
    basis: before.basis,
    trialBasis: after.basis,
    effects: effects.map((effect) => ({ constant: effect.constant, points: points(effect.points) })),
    parts: parts.slice(0, labLimits.partsMax).map((part) => ({
      kind: part.kind,
      root: part.root,
      points: points(part.before),
      trialPoints: points(part.after),
    })),
    history: history.map(({ position, at, from, to }) => ({
      position: String(position),
      at: at.toISOString(),
      trustScore: from,
      trialScore: to,
    })),
    isThinned,
  };
  return { ordinal, name: agentId, shown, detail };
};
