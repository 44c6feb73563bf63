/** Limits of registry-write. */
export const writeLimits = {
  /** Longest wait for one answer of trust-projection. */
  queryTimeoutMs: 3_000,
  /** How often the stream `taxonomy` is read on; only another version of the registry changes it. */
  seedRefreshMs: 2_000,
  /** After this time without a read the replica of the seed says nothing more: a cut-off or paused process does not use an old one. */
  seedUsableMs: 5_000,
  /** States of streams that are kept for the next command, and the length of all of them as JSON. */
  knownStreamsMax: 2_000,
  knownCharsMax: 16 * 1024 * 1024,
  /** Left of a command's time, with less of which no further agent gives up a proved domain: the next look at the proof goes on. */
  takeDomainMs: 500,
  /** Agents whose reviews are voided at one time, and what must be left of the command's time to begin with another. */
  voidReviewsAtOnce: 16,
  voidReviewsMs: 1_000,
} as const;
