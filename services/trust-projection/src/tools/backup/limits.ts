/** Limits of `npm run backup` and `npm run restore`. */
export const backupLimits = {
  connectTimeoutMs: 10_000,
  /** How long a statement waits for a lock, such as that of VACUUM FULL, before the command fails. */
  lockTimeoutMs: 30_000,
  /** The smallest compression that is worth its time: a log becomes a sixth. */
  zstdLevel: 3,
  /** Of the manifest and of the checksums. */
  manifestBytesMax: 1_000_000,
  /** Longest row of a table in a backup: an append of 1 MB with every character escaped has less. */
  rowBytesMax: 16 * 1024 * 1024,
} as const;
