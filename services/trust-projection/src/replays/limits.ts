/** Bounds of the record of replays; those of their processes are jobs' (`../jobs/limits.ts`). */
export const replayLimits = {
  /** Replays that are kept, the newest. */
  keptMax: 50,
} as const;
