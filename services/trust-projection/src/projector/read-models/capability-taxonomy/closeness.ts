import { type CapabilityCandidate, type CapabilityResolution, limits } from '@agent-trust/contracts';

/** A candidate with what makes it one. `labelSimilarity` (0–1) says how alike the name and the best of its labels are. */
export type RankedCandidate = CapabilityCandidate & { labelSimilarity: number };

/** When a name is close to a capability, and when it clearly means one. `docs/capabilities.md` says how the figures were chosen. */
export const closeness = {
  /** A name is of this world if the words of a capability are this alike, or by other signs, see `relatedness.ts`; … */
  wordsAloneMin: 0.54,
  /** … or if an embedding model finds a capability this similar … */
  closeMin: 0.48,
  /** … and then capabilities of the seed are candidates from this share of the best one's similarity on. */
  besideBestMin: 0.5,
  /** The same for a name that was learned: it has its own letters only, no description or phrases, so more of them must agree. */
  learnedCloseMin: 0.6,
  /** A phrase may be in a capability's texts in whole and be like none of its labels; that counts by this much. */
  coverageAlone: 0.85,
  /** What the words prove that a capability has counts by this much beside how alike they are, and how much proof is enough. */
  evidenceWeight: 0.4,
  evidenceEnough: 0.85,
  /** A name clearly means its best candidate when that is at least this similar … */
  clearMin: 0.62,
  /** … more similar than every other one by this much … */
  clearLeadMin: 0.15,
  /** … and a label of it is at least this much like the name: texts and models suggest, they do not settle. */
  clearLabelMin: 0.6,
} as const;

/** What candidates, best first, make of a name that is neither canonical nor an alias. */
export function outcomeOf(name: string, ranked: readonly RankedCandidate[]): CapabilityResolution {
  const [best, ...others] = ranked.slice(0, limits.capabilityCandidatesMax);
  if (best === undefined) return { name, outcome: 'unknown' };
  const next = Math.max(0, ...others.map(({ similarity }) => similarity));
  const isClear =
    best.similarity >= closeness.clearMin &&
    best.similarity - next >= closeness.clearLeadMin &&
    best.labelSimilarity >= closeness.clearLabelMin;
  return { name, outcome: isClear ? 'clear' : 'ambiguous', candidates: [best, ...others].map(toCandidate) };
}

const toCandidate = ({ name, similarity }: RankedCandidate): CapabilityCandidate => ({ name, similarity });
