import type { Confidence } from '@agent-trust/trust-policy';

/** How sure a score is, as a list, which is a third of its JSON object. */
export type PackedConfidence = readonly [evidenceWeight: number, roots: number, low: number, high: number];

export function packConfidence({ evidenceWeight, roots, interval }: Confidence): PackedConfidence {
  return [evidenceWeight, roots, ...interval];
}

/** What is shown of it. */
export function confidenceView([evidenceWeight, roots, low, high]: PackedConfidence): Confidence {
  return { evidenceWeight, roots, interval: [low, high] };
}
