/**
 * What the newest review says of a root that one of the organisation's own agents made, as bits: whether there is one, whether the organisation was
 * established then, and whether the review was a good one. 0 for a root for which only shares of unaffiliated reviewers speak.
 */
export type Mark = number;

const OWN = 1;
const ESTABLISHED = 2;
const GOOD = 4;

/** The mark that an organisation's own review leaves. */
export function markOf(isEstablished: boolean, isGood: boolean): Mark {
  return OWN | (isEstablished ? ESTABLISHED : 0) | (isGood ? GOOD : 0);
}

/** Whether the root counts as established in this evidence. */
export function isEstablished(mark: Mark): boolean {
  return (mark & ESTABLISHED) !== 0;
}

/** Whether the newest review of the organisation's own agents was good. */
export function isContent(mark: Mark): boolean {
  return (mark & GOOD) !== 0;
}
