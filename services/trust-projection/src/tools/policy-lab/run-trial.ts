import type { PolicyJobProgress, PolicyTrialAgent, PolicyTrialDetail, PolicyTrialResult } from '@agent-trust/contracts';
import { openCheckedEventLog } from '@agent-trust/event-log';
import type { ReplayProgress } from '@agent-trust/projections';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';
import type { WorkHooks } from '../../jobs/reported-work.ts';
import { labLimits } from '../../policy-lab/limits.ts';
import type { LabItem, LabJob, LabStore } from '../../policy-lab/lab-store.ts';
import { type ChangedPart, changedParts } from '../whatif/changed-parts.ts';
import { changeOf, comparePolicies, type ExplainedMove } from '../whatif/compare-policies.ts';
import { followScores, type ScoreHistory } from '../whatif/follow-scores.ts';
import { policyChanges } from '../whatif/policy-changes.ts';
import { crossingCounts, points } from '../whatif/report.ts';
import { type Effect, singleEffects } from '../whatif/single-effects.ts';

/** Parts of the whole that the steps take, about: the log is read twice, or under formula v2 once more for each changed constant. */
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
  const from = (await readActivatedPolicies(log)).at(-1);
  if (from === undefined) throw new Error('there is always a trust policy');
  const compareOptions = { onProgress: show('compare'), signal };
  const comparison = await comparePolicies(log, { from, to }, labLimits.agentsKeptMax, compareOptions);
  const { position, moves, explained: kept } = comparison;
  const changes = policyChanges(from, to);
  const shown = new Set(kept.map(({ agentId }) => agentId));
  const { historyPointsMax: pointsMax } = labLimits;
  const scores = followScores(shown, { from, to }, { pointsMax, hasVoided: comparison.hasVoided });
  const options = { onProgress: show('explain'), signal, follow: scores.follow };
  const effects = await singleEffects(log, { ...comparison, moves: kept }, changes, options);
  for (let first = 0; first < kept.length; first += labLimits.agentsPerStatement) {
    signal.throwIfAborted();
    onProgress(progressOf('keep', first, kept.length, first / kept.length));
    const page = kept.slice(first, first + labLimits.agentsPerStatement);
    await store.keep(
      jobId,
      page.map((move, index) =>
        itemOf(first + index, move, effects.get(move.agentId) ?? [], scores.historyOf(move.agentId)),
      ),
    );
  }
  const up = moves.filter((move) => changeOf(move) > 0).length;
  return {
    result: {
      inForce: from.name,
      position: position === null ? null : String(position),
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

const itemOf = (
  ordinal: number,
  move: ExplainedMove,
  effects: readonly Effect[],
  { points: history, isThinned }: ScoreHistory,
): LabItem => {
  const { agentId, universe, before, after, crosses } = move;
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
    organisation: (after.organisation ?? before.organisation)?.id ?? null,
    record: before.organisation?.record ?? null,
    trialRecord: after.organisation?.record ?? null,
    effects: effects.map((effect) => ({ constant: effect.constant, points: points(effect.points) })),
    parts: changedParts(move).slice(0, labLimits.partsMax).map(shownPart),
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

const shownPart = ({ kind, root, before, after }: ChangedPart): Detail['parts'][number] => ({
  kind,
  root,
  points: points(before?.points ?? 0),
  trialPoints: points(after?.points ?? 0),
  cap: before?.cap ?? null,
  trialCap: after?.cap ?? null,
  isCut: before?.isCut ?? false,
  trialIsCut: after?.isCut ?? false,
  established: before?.established ?? null,
  trialEstablished: after?.established ?? null,
});
