import type { PolicySimulation, PolicyTrial, PolicyTrialAgent, TrustPolicies } from '@agent-trust/client';
import { timeText } from './agent-view.ts';
import type { Output } from './output.ts';
import { safeLine } from './safe-text.ts';

const whole = (value: number): string => value.toLocaleString('en');
const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));

/** How a trial or simulation goes, or went, on one line. */
export function jobLine({ state, progress, error }: Pick<PolicyTrial, 'state' | 'progress' | 'error'>): string {
  if (state === 'running' && progress !== null)
    return safeLine(
      `${progress.step}: ${whole(progress.done)} of ${whole(progress.total)} (${Math.floor(progress.fraction * 100)} %)`,
    );
  return safeLine(error === null ? state : `${state}: ${error}`);
}

export function showPolicies({ policies }: TrustPolicies, out: Output): void {
  out.table(
    ['POLICY', 'IN FORCE', 'ACTIVATED', 'POSITION'],
    policies.map((one) => [
      one.name,
      one.in_force ? 'yes' : '',
      one.activated_at === null ? 'comes with the registry' : timeText(one.activated_at),
      one.position ?? '',
    ]),
  );
}

/** Who would move, for people. */
export function showTrial({ policy, result }: PolicyTrial, agents: readonly PolicyTrialAgent[], out: Output): void {
  if (result === null) return;
  out.fields([
    ['policy', `${policy} instead of ${result.in_force}`],
    [
      'agents',
      `${whole(result.moved)} of ${whole(result.agents)} would move, ${whole(result.up)} up and ${whole(result.down)} down`,
    ],
    ...result.thresholds.map(
      ({ threshold, rise, fall }) =>
        [
          `threshold ${threshold}`,
          `${whole(rise)} would rise to it or above, ${whole(fall)} would fall below it`,
        ] as const,
    ),
  ]);
  if (agents.length === 0) return;
  out.line();
  out.table(
    ['AGENT', 'NOW', 'THEN', 'CHANGE', 'CROSSES'],
    agents.map((one) => [
      safeLine(one.agent_id),
      String(one.trust_score),
      String(one.trial_score),
      signed(one.change),
      one.crosses.map(({ threshold, direction }) => `${direction} ${threshold}`).join(', '),
    ]),
  );
}

const figureText = (value: number | null): string =>
  value === null ? 'never' : String(Math.round(value * 1_000) / 1_000);

const gateHolds = (missed: readonly number[], known: readonly number[]): string => {
  if (missed.length === 0) return 'holds';
  return missed.every((seed) => known.includes(seed)) ? 'misses, as known' : 'MISSED';
};

/** The gates of a simulation, for people. */
export function showSimulation(simulation: PolicySimulation, out: Output): void {
  const { policy, state, proven, attacks } = simulation;
  const outcome = proven === null ? jobLine(simulation) : proven ? 'every gate holds' : 'a gate does not hold';
  out.fields([
    ['policy', policy],
    ['outcome', state === 'done' ? outcome : jobLine(simulation)],
  ]);
  out.line();
  out.table(
    ['ATTACK', 'FIGURE', 'GATE', 'POLICY', 'CONTROL', ''],
    attacks.flatMap(({ attack, figures }) =>
      figures.map(({ figure, gate, worst, values, missed_seeds: missed, known_misses: known, controls }) => [
        attack,
        figure,
        gate === null ? '' : `${gate.relation} ${gate.limit}`,
        gate === null ? values.map(figureText).join(', ') : figureText(worst),
        controls.map(({ best }) => figureText(best)).join(', '),
        gate === null ? '' : gateHolds(missed, known),
      ]),
    ),
  );
}
