/**
 * Names the state of the read models that readers see now; null if this instance cannot know it without asking the database. While the name
 * is the same, nothing has changed: what was read since it was first given is not older than what the database would answer.
 */
export type VisibleState = () => string | null;

/** For an instance that must always ask. */
export const unknownState: VisibleState = () => null;
