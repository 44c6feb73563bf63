import { NO_ROOT, NOISE_POINTS } from '../v1/constants.ts';
import type { Mark } from './mark.ts';
import type { RulesV2 } from './rules.ts';
import type { RecordedReviewV2 } from './trust-event.ts';
import type { EvidenceView } from './view.ts';

/** A root that has raised an agent: its mean is above the agent's prior. The shares of all such roots, by weight before the cap, sum to 1. */
export type Raiser = { root: string; share: number; mark: Mark };

export function raisersOf({ roots, weights, values, marks }: EvidenceView, base: number): Raiser[] {
  const raising: { root: string; weight: number; mark: Mark }[] = [];
  roots.forEach((root, place) => {
    const weight = weights[place] ?? 0;
    if (weight <= 0 || 100 * ((values[place] ?? 0) / weight) <= base + NOISE_POINTS) return;
    raising.push({ root, weight, mark: marks[place] ?? 0 });
  });
  const total = raising.reduce((sum, { weight }) => sum + weight, 0);
  return raising.map(({ root, weight, mark }) => ({ root, share: weight / total, mark }));
}

/** The split to freeze into a review: what the policy makes of its reviewer now. `view` is null for a reviewer without evidence. */
export function splitOfReviewer(
  { organisation, orgDomain, base }: { organisation: string | null; orgDomain: string | null; base: number },
  view: EvidenceView | null,
  rules: RulesV2,
): Record<string, number> {
  if (organisation !== null) return only(organisation);
  if (rules.unaffiliated === 'none') return only(NO_ROOT);
  if (orgDomain !== null) return only(orgDomain);
  const raisers = view === null ? [] : raisersOf(view, base);
  return raisers.length === 0 ? only(NO_ROOT) : Object.fromEntries(raisers.map(({ root, share }) => [root, share]));
}

/**
 * The roots of a review in the evidence about an agent, from what its event has frozen.
 *
 * @param organisationOf the organisation that a frozen root counts for, if it is a domain of one
 */
export function rootsInEvidence(
  { organisation, orgDomain, roots }: RecordedReviewV2['reviewer'],
  organisationOf: (root: string) => string | null,
  rules: RulesV2,
): Record<string, number> {
  if (organisation !== null) return only(organisation);
  if (rules.unaffiliated === 'none') return only(NO_ROOT);
  if (orgDomain !== null) return only(orgDomain);
  const shares = new Map<string, number>();
  for (const [root, share] of Object.entries(roots)) {
    if (share <= 0) continue;
    const counted = organisationOf(root) ?? root;
    shares.set(counted, (shares.get(counted) ?? 0) + share);
  }
  return shares.size === 0 ? only(NO_ROOT) : Object.fromEntries(shares);
}

/** The root of a review in a record: there the unaffiliated do not speak with the voices of those who raised them. */
export function rootInRecord({ organisation }: RecordedReviewV2['reviewer']): Record<string, number> {
  return only(organisation ?? NO_ROOT);
}

// Not a literal: a root may have any name.
const only = (root: string): Record<string, number> => Object.fromEntries([[root, 1]]);
