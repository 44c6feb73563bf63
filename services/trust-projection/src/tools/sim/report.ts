import { type SimulatedAttack, simulatedAttack, toWire } from '@agent-trust/contracts';
import type { AttackResult, AttackResultV2, FigureResult, Gate } from '@agent-trust/simulation';
import type { TrustPolicy } from '@agent-trust/trust-policy';
import { alignedLines } from '../common/aligned-lines.ts';

/** A run of the simulation, for people. */
export function reportLines(policyName: string, results: readonly AttackResult[]): string[] {
  const seeds = results[0]?.seeds ?? [];
  const gated = results.filter(({ attack }) => !attack.beyondTheTable);
  const beyond = results.filter(({ attack }) => attack.beyondTheTable);
  return [
    `Trust policy ${policyName}, ${seedsText(seeds)}${seeds.length > 1 ? '. The figures are the worst of all seeds, for a control the best.' : '.'}`,
    '',
    ...table(gated, policyName),
    ...(beyond.length === 0
      ? []
      : ['', 'Beyond the gate table: what the policy does not prevent, or only slowly. Nothing here passes or fails.']),
    ...beyond.flatMap(({ attack, figures }) => [
      `  ${attack.title}`,
      ...figures.map((figure) => `    ${figure.label}: ${spread(figure.values)}`),
    ]),
    '',
    ...closingLines(gated),
  ];
}

const table = (results: readonly AttackResult[], policyName: string): string[] => {
  const head = ['', 'gate', policyName, '', 'control', ''];
  const body = results.map(({ attack, figures }) => ({
    title: attack.control === null ? attack.title : `${attack.title} · control: ${attack.control}`,
    rows: figures.map((figure) => [
      `  ${figure.label}`,
      figure.gate === null ? '' : gateText(figure.gate),
      figure.worst === null ? '' : numberText(figure.worst),
      figure.missedSeeds.length === 0 ? 'pass' : 'FAIL',
      figure.control === null ? '–' : numberText(figure.control.best),
      controlText(figure.control),
    ]),
  }));
  const [first = '', ...lines] = alignedLines([head, ...body.flatMap(({ rows }) => rows)], [2, 4]);
  return [first, ...body.flatMap(({ title, rows }) => [title, ...lines.splice(0, rows.length)])];
};

const controlText = (control: FigureResult['control']): string => {
  if (control === null) return '';
  return control.passedSeeds.length === 0 ? 'misses it, as it must' : 'MEETS IT, AND MUST NOT';
};

const closingLines = (results: readonly AttackResult[]): string[] => {
  const faults = results.flatMap(({ attack, figures }) =>
    figures.flatMap(({ label, missedSeeds, control }) => [
      ...(missedSeeds.length > 0
        ? [`${attack.name}: ${label}: the gate is missed for ${seedsText(missedSeeds)}.`]
        : []),
      ...(control !== null && control.passedSeeds.length > 0
        ? [
            `${attack.name}: ${label}: the control (${attack.control}) meets the gate for ${seedsText(control.passedSeeds)}.`,
          ]
        : []),
    ]),
  );
  return faults.length === 0 ? ['Every gate holds, and every control misses it.'] : faults;
};

/** `seed 7`, `seeds 1–20`, `seeds 3, 5`. */
const seedsText = (seeds: readonly number[]): string => {
  if (seeds.length === 1) return `seed ${seeds[0]}`;
  const isRange = seeds.every((seed, index) => seed === (seeds[0] ?? 0) + index);
  return `seeds ${isRange && seeds.length > 2 ? `${seeds[0]}–${seeds.at(-1)}` : seeds.join(', ')}`;
};

const gateText = ({ relation, limit }: Gate): string => {
  const sign = { '<': '<', '<=': '≤', '>=': '≥', '=': '=' }[relation];
  return `${sign} ${limit}`;
};

const spread = (values: readonly number[]): string => {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(numberText);
  return least === most ? `${least}` : `${least} to ${most}`;
};

/** At most three decimals; `never` for a count that was not reached. */
const numberText = (value: number): string => {
  if (value === Number.POSITIVE_INFINITY) return 'never';
  return String(Math.round(value * 1000) / 1000);
};

/** The figures of an attack, each with its value for each seed; `null` is a count that was not reached. */
export function attackFigures({ attack, figures, isProven }: AttackResult): SimulatedAttack {
  return {
    attack: attack.name,
    title: attack.title,
    control: attack.control,
    beyondTheTable: attack.beyondTheTable,
    proven: attack.beyondTheTable ? null : isProven,
    figures: figures.map(({ label, gate, values, worst, missedSeeds, control }) => {
      const shown = control === null ? null : controlFigure(control);
      return {
        figure: label,
        ...figureOf({ gate, values, worst, missedSeeds }),
        knownMisses: [],
        control: shown,
        controls: shown === null || attack.control === null ? [] : [{ name: attack.control, ...shown }],
      };
    }),
  };
}

/** The same of an attack on a policy of formula v2. */
export function attackFiguresV2({ attack, figures, isProven }: AttackResultV2): SimulatedAttack {
  const isGated = figures.some(({ gate }) => gate !== null);
  return {
    attack: attack.name,
    title: attack.title,
    control: null,
    beyondTheTable: !isGated,
    proven: isGated ? isProven : null,
    figures: figures.map(({ case: label, label: figure, controls, knownMisses, ...found }) => {
      const shown = controls.map((control) => ({ name: control.name, ...controlFigure(control) }));
      const { name: _, ...first } = shown[0] ?? { name: '' };
      return {
        figure: `${figure}, ${label}`,
        ...figureOf(found),
        knownMisses: [...knownMisses],
        control: 'best' in first ? first : null,
        controls: shown,
      };
    }),
  };
}

type Figure = SimulatedAttack['figures'][number];

const figureOf = ({
  gate,
  values,
  worst,
  missedSeeds,
}: Pick<FigureResult, 'gate' | 'values' | 'worst' | 'missedSeeds'>): Pick<
  Figure,
  'gate' | 'values' | 'worst' | 'missedSeeds'
> => ({
  gate: gate === null ? null : { relation: gate.relation, limit: gate.limit },
  worst: worst === null ? null : reached(worst),
  values: values.map(reached),
  missedSeeds,
});

const controlFigure = ({
  best,
  values,
  passedSeeds,
}: NonNullable<FigureResult['control']>): NonNullable<Figure['control']> => ({
  best: reached(best),
  values: values.map(reached),
  passedSeeds,
});

/** A run of the simulation, for programs. */
export function reportJson(policy: TrustPolicy, results: readonly AttackResult[]): object {
  return {
    trust_policy: policy.name,
    seeds: results[0]?.seeds ?? [],
    proven: results.every(({ isProven }) => isProven),
    attacks: results.map((result) => toWire(simulatedAttack, attackFigures(result))),
  };
}

const reached = (value: number): number | null => (Number.isFinite(value) ? value : null);
