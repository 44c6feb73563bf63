/** Limits of `npm run backup` and `npm run restore`. */
export const backupLimits = {
  connectTimeoutMs: 10_000,
  /** How long a statement waits for a lock, such as that of VACUUM FULL, before the command fails. */
  lockTimeoutMs: 30_000,
  /** The smallest compression that is worth its time: a log becomes a sixth. */
  zstdLevel: 3,
  manifestBytesMax: 1_000_000,
} as const;
