import type { Mark, Track } from './attacks/attack.ts';
import type { AttackResult } from './run-attack.ts';
import { shownSteps } from './shown-steps.ts';

const width = 900;
const chart = { left: 64, right: 876, top: 64, bottom: 396 };
const legendTop = 452;
const legendLine = 22;
/** Longer labels than this do not fit into half of the width. */
const halfLabelCharsMax = 52;
const policyColours = ['#1f5fa8', '#1b8a5a', '#7a3fa0', '#3b3b3b', '#00838f', '#8d5524'];
const controlColours = ['#d9822b', '#c2556f', '#b0921d', '#8a8a8a', '#5c9ead', '#9c6ade'];
const markColour = '#c62828';

/** What a plot shows: tracks of the policy, and of controls by their names. */
export type PlotData = {
  title: string;
  steps: string;
  seed: number;
  marks: readonly Mark[];
  policy: { name: string; tracks: readonly Track[] };
  controls: readonly { name: string; tracks: readonly Track[] }[];
};

/** An attack's course for its first seed as an SVG document: scores of the policy and of its control, with the gate's scores marked. */
export function attackPlot({ attack, seeds, marks, tracks }: AttackResult, policyName: string): string {
  return plotOf({
    title: attack.title,
    steps: attack.steps,
    seed: seeds[0] ?? Number.NaN,
    marks,
    policy: { name: policyName, tracks: tracks.policy },
    controls: [{ name: attack.control ?? 'control', tracks: tracks.control ?? [] }],
  });
}

export function plotOf({ title, steps, seed, marks, policy, controls }: PlotData): string {
  const dashed = controls.flatMap(({ name, tracks }) => merged(tracks).map((track) => ({ name, track })));
  const lines = [
    ...merged(policy.tracks).map((track, index) => plotted(track, policy.name, colourAt(policyColours, index), '')),
    ...dashed.map(({ name, track }, index) => plotted(track, name, colourAt(controlColours, index), '7 4')),
  ];
  const stepsMax = Math.max(1, ...lines.map(({ scores }) => scores.length - 1));
  const x = (step: number): number => chart.left + ((chart.right - chart.left) * step) / stepsMax;
  const y = (score: number): number => chart.bottom - ((chart.bottom - chart.top) * score) / 100;
  const legendColumns = lines.every(({ label }) => label.length <= halfLabelCharsMax) ? 2 : 1;
  const height = legendTop + legendLine * Math.ceil(lines.length / legendColumns);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="${chart.left}" y="30" font-size="15" font-weight="bold">${escaped(title)}</text>
<text x="${chart.left}" y="50" fill="#555555">seed ${seed}</text>
${axes(steps, stepsMax, x, y)}
${marks.map(({ score, label }) => mark(score, label, y(score))).join('\n')}
${lines.map(({ scores, colour, dash }) => `<path d="${pathOf(scores, x, y)}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`).join('\n')}
${lines.map((line, index) => legendEntry(line, index, legendColumns)).join('\n')}
</svg>
`;
}

const colourAt = (colours: readonly string[], index: number): string => colours[index % colours.length] ?? '';

/** Identical tracks become one with all their labels: otherwise only the last would be visible. */
const merged = (tracks: readonly Track[]): Track[] => {
  const byCourse = Map.groupBy(tracks, ({ scores }) => JSON.stringify(scores));
  return [...byCourse.values()].flatMap((same) =>
    same.slice(0, 1).map(({ scores }) => ({ label: same.map(({ label }) => label).join(' or '), scores })),
  );
};

type Line = { label: string; scores: Track['scores']; colour: string; dash: string };

const plotted = ({ label, scores }: Track, by: string, colour: string, dash: string): Line => ({
  label: `${label}, ${by}`,
  scores,
  colour,
  dash,
});

const axes = (steps: string, stepsMax: number, x: (step: number) => number, y: (score: number) => number): string => {
  const across = Array.from({ length: 11 }, (_, index) => index * 10).map(
    (score) =>
      `<line x1="${chart.left}" x2="${chart.right}" y1="${fixed(y(score))}" y2="${fixed(y(score))}" stroke="#e3e3e3"/>` +
      `<text x="${chart.left - 10}" y="${fixed(y(score) + 4)}" text-anchor="end">${score}</text>`,
  );
  const along = niceTicks(stepsMax).map(
    (step) =>
      `<line x1="${fixed(x(step))}" x2="${fixed(x(step))}" y1="${chart.bottom}" y2="${chart.bottom + 5}" stroke="#555555"/>` +
      `<text x="${fixed(x(step))}" y="${chart.bottom + 20}" text-anchor="middle">${step}</text>`,
  );
  const middle = (chart.top + chart.bottom) / 2;
  return [
    ...across,
    `<path d="M${chart.left} ${chart.top}V${chart.bottom}H${chart.right}" fill="none" stroke="#555555"/>`,
    ...along,
    `<text x="${(chart.left + chart.right) / 2}" y="${chart.bottom + 40}" text-anchor="middle">${escaped(steps)}</text>`,
    `<text x="18" y="${middle}" text-anchor="middle" transform="rotate(-90 18 ${middle})">trust score</text>`,
  ].join('\n');
};

const mark = (score: number, label: string, at: number): string =>
  `<line x1="${chart.left}" x2="${chart.right}" y1="${fixed(at)}" y2="${fixed(at)}" stroke="${markColour}" stroke-width="1.5" stroke-dasharray="2 3"/>` +
  `<text x="${chart.right - 4}" y="${fixed(at - 5)}" text-anchor="end" fill="${markColour}" stroke="#ffffff" stroke-width="3" paint-order="stroke">${escaped(label)}${label.includes(String(score)) ? '' : ` (${score})`}</text>`;

/** A path through the scores, with gaps where there is none. */
const pathOf = (scores: Track['scores'], x: (step: number) => number, y: (score: number) => number): string => {
  let path = '';
  let isDown = false;
  for (const step of shownSteps(scores)) {
    const score = scores[step] ?? null;
    if (score !== null) path += `${isDown ? 'L' : 'M'}${fixed(x(step))} ${fixed(y(score))}`;
    isDown = score !== null;
  }
  return path;
};

const legendEntry = ({ label, colour, dash }: Line, index: number, legendColumns: number): string => {
  const left = chart.left + ((chart.right - chart.left) / legendColumns) * (index % legendColumns);
  const at = legendTop + legendLine * Math.floor(index / legendColumns);
  return (
    `<line x1="${left}" x2="${left + 28}" y1="${at}" y2="${at}" stroke="${colour}" stroke-width="3" stroke-dasharray="${dash}"/>` +
    `<text x="${left + 36}" y="${at + 4}">${escaped(label)}</text>`
  );
};

const fixed = (value: number): string => String(Math.round(value * 10) / 10);

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '');

/** Round numbers from 0 to a limit, about ten of them, a power of ten times 1, 2 or 5 apart. */
const niceTicks = (limit: number): number[] => {
  const rough = limit / 10;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 1;
  return Array.from({ length: Math.floor(limit / step) + 1 }, (_, index) => index * step);
};
