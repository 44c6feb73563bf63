import type { Track } from './attacks/attack.ts';

/** Points of one line: more than the chart's width show nothing more. */
const pointsMax = 800;

/** The steps of a track that a chart shows: evenly spread, always with the last. */
export function shownSteps(scores: Track['scores']): number[] {
  const stride = Math.max(1, Math.ceil(scores.length / pointsMax));
  return [...scores.keys()].filter((step) => step % stride === 0 || step === scores.length - 1);
}
