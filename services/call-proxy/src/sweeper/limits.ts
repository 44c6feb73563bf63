/** Bounds of the search for exchanges that nobody will end. */
export const sweepLimits = {
  /** Pause between two searches of one proxy, drawn at random from its upper half so that many proxies do not search as one. */
  everyMs: 15_000,
  /** The pause after a search that found as many as it asked for. */
  againMs: 1_000,
  /** Exchanges that one search ends, all at one time. */
  exchangesMax: 100,
  queryTimeoutMs: 5_000,
} as const;
