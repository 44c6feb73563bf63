import type { Gate } from '../attacks/attack.ts';
import { gateText, numberText, seedsText, spreadText } from '../figure-text.ts';
import { worstOf } from '../figure-values.ts';
import { markdownTable } from '../markdown-table.ts';
import type { AttackResultV2, FigureResultV2 } from './run-attack-v2.ts';

/** A run of the gate table of v2, for people. */
export function reportLinesV2(policyName: string, results: readonly AttackResultV2[]): string[] {
  const seeds = results[0]?.seeds ?? [];
  return [
    `Trust policy ${policyName}, ${seedsText(seeds)}: the worst figure of all seeds, of a control the best. Without a gate: the least and the largest.`,
    '',
    ...markdownTable([['attack', 'figure', 'gate', policyName, 'v1', 'control'], ...results.flatMap(figureRows)]),
    '',
    ...closingLines(results),
  ];
}

/** A row of the table for each figure of an attack. */
export function figureRows({ attack, figures }: AttackResultV2): string[][] {
  return figures.map((figure) => [
    attack.name,
    `${figure.label}, ${figure.case}`,
    figure.gate === null ? '' : gateText(figure.gate),
    `${shown(figure.values, figure.gate)}${missText(figure)}`,
    figure.byV1 === null ? '' : shown(figure.byV1, figure.gate),
    figure.controls.map(controlText).join('; '),
  ]);
}

const missText = ({ missedSeeds, unknownMisses }: FigureResultV2): string => {
  if (unknownMisses.length > 0) return ' FAIL';
  return missedSeeds.length === 0 ? '' : ` (misses: ${seedsText(missedSeeds)})`;
};

const shown = (values: readonly number[], gate: Gate | null): string =>
  gate === null ? spreadText(values) : numberText(worstOf(values, gate));

const controlText = ({ name, best, passedSeeds }: FigureResultV2['controls'][number]): string =>
  `${name}: ${numberText(best)}${passedSeeds.length > 0 ? ', MEETS IT, AND MUST NOT' : ''}`;

const closingLines = (results: readonly AttackResultV2[]): string[] => {
  const faults = results.flatMap(({ attack, figures }) =>
    figures.flatMap(({ case: label, label: figure, unknownMisses, controls }) => {
      const of = `${attack.name}: ${figure}, ${label}`;
      return [
        ...(unknownMisses.length > 0 ? [`${of}: the gate is missed for ${seedsText(unknownMisses)}.`] : []),
        ...controls
          .filter(({ passedSeeds }) => passedSeeds.length > 0)
          .map(({ name, passedSeeds }) => `${of}: the control (${name}) meets the gate for ${seedsText(passedSeeds)}.`),
      ];
    }),
  );
  if (faults.length > 0) return faults;
  const isKept = results.every(({ figures }) => figures.every(({ missedSeeds }) => missedSeeds.length === 0));
  return [
    isKept
      ? 'Every gate holds, and every control misses it.'
      : 'Every gate holds but for those that docs/simulation.md names, and every control misses it.',
  ];
};

/** A run of the gate table of v2, for programs. A count that was not reached is null. */
export function reportJsonV2(policyName: string, results: readonly AttackResultV2[]): object {
  return {
    trust_policy: policyName,
    seeds: results[0]?.seeds ?? [],
    proven: results.every(({ isProven }) => isProven),
    attacks: results.map(({ attack, figures, isProven }) => ({
      attack: attack.name,
      title: attack.title,
      proven: isProven,
      figures: figures.map(
        ({ case: label, label: figure, gate, values, worst, missedSeeds, knownMisses, byV1, controls }) => ({
          case: label,
          figure,
          gate,
          worst: reached(worst),
          values: values.map(reached),
          missed_seeds: missedSeeds,
          known_misses: knownMisses,
          by_v1: byV1?.map(reached) ?? null,
          controls: controls.map(({ name, best, values: ofControl, passedSeeds }) => ({
            control: name,
            best: reached(best),
            values: ofControl.map(reached),
            passed_seeds: passedSeeds,
          })),
        }),
      ),
    })),
  };
}

const reached = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null);
