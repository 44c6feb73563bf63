import type { SeededRandom } from '../random/seeded-random.ts';
import type { Opinion } from '../registry/simulated-registry.ts';

/** Standard deviation of what honest reviewers make of the same quality, as a fraction of the scale. */
const opinionSpread = 0.1;

/** Below the middle of the scale a reviewer says that the exchange failed. */
const contentFrom = 0.5;

/**
 * What an honest reviewer says of an exchange with an agent of this quality (0–1). Quality is on the scale of ratings, as the gate
 * table sets it beside scores: what reviewers feel scatters around it, and they call a failure what they are not content with.
 */
export function honestOpinion(quality: number, random: SeededRandom): Opinion {
  const felt = Math.min(1, Math.max(0, quality + opinionSpread * random.normal()));
  return { success: felt >= contentFrom, score: 1 + Math.round(9 * felt) };
}

/** The best that can be said. */
export const perfect: Opinion = { success: true, score: 10 };
/** The worst that can be said. */
export const worst: Opinion = { success: false, score: 1 };
