import type { ExplainedMove } from './compare-policies.ts';
import type { ScorePart } from './scores-under.ts';

/** A part of a score under one policy; null where the score has no such part. */
type PartUnder = Pick<ScorePart, 'points' | 'cap' | 'isCut' | 'established'> | null;

/** A part of a score that is another, or is made otherwise, under the second policy. */
export type ChangedPart = Pick<ScorePart, 'kind' | 'root'> & { before: PartUnder; after: PartUnder };

/** Smaller differences are noise of floating-point sums. */
export const pointsMin = 1e-9;

/** What differs between the explanations of both scores, the largest change first. The points of all parts sum to the scores. */
export function changedParts({ before, after }: Pick<ExplainedMove, 'before' | 'after'>): ChangedPart[] {
  const parts = new Map<string, ChangedPart>();
  // JSON, since a root may have any name.
  const keyOf = ({ kind, root }: ScorePart): string => JSON.stringify([kind, root]);
  for (const part of before.parts) parts.set(keyOf(part), { ...namedAs(part), before: part, after: null });
  for (const part of after.parts) {
    const former = parts.get(keyOf(part))?.before ?? null;
    parts.set(keyOf(part), { ...namedAs(part), before: former, after: part });
  }
  return [...parts.values()]
    .filter((part) => Math.abs(pointsGained(part)) > pointsMin)
    .sort((a, b) => Math.abs(pointsGained(b)) - Math.abs(pointsGained(a)));
}

/** By how many points a part raises the score. */
export function pointsGained({ before, after }: Pick<ChangedPart, 'before' | 'after'>): number {
  return (after?.points ?? 0) - (before?.points ?? 0);
}

const namedAs = ({ kind, root }: ScorePart): Pick<ScorePart, 'kind' | 'root'> => ({ kind, root });
