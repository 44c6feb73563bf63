import type { Track } from '../attacks/attack.ts';
import { plotOf } from '../attack-plot.ts';
import type { AttackResultV2, Course } from './run-attack-v2.ts';

/** A row's course for its first seed as an SVG document: each case by the policy, and by its controls. */
export function attackPlotV2({ attack, seeds, courses }: AttackResultV2, policyName: string): string {
  const { title, steps, marks } = attack;
  const controls = Map.groupBy(
    courses.filter(({ by }) => by !== 'policy'),
    ({ by }) => by,
  );
  return plotOf({
    title,
    steps,
    seed: seeds[0] ?? Number.NaN,
    marks,
    policy: { name: policyName, tracks: courses.filter(({ by }) => by === 'policy').flatMap(tracksOf) },
    controls: [...controls].map(([name, ofControl]) => ({ name, tracks: ofControl.flatMap(tracksOf) })),
  });
}

/** The tracks of one case, named as in the plot. */
export function tracksOf({ case: label, tracks }: Course): Track[] {
  return tracks.map((track) => ({ ...track, label: track.label === '' ? label : `${label}, ${track.label}` }));
}
