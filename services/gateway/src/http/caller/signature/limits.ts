/** Bounds on what signed requests make the gateway keep and ask. */
export const signatureEdgeLimits = {
  /** The widest window that SIGNATURE_MAX_SKEW_SECONDS can set; the store of nonces is made for it. */
  skewSecondsMax: 900,
  /** Beyond the window itself: gateways' clocks differ. */
  nonceMarginSeconds: 60,
  /**
   * What all nonces take together, at about 150 bytes each; room for 900 signed requests a second over the longest window. A full
   * store refuses further signatures and forgets none.
   */
  nonceBucketBytesMax: 256 * 1024 * 1024,
  /**
   * Nonces of one agent in a minute, at one gateway: at most one in a hundred of what the store can hold over the longest window. Who
   * signs more uses a bearer key.
   */
  noncesPerAgentMax: 600,
  nonceWindowMs: 60_000,
  /** Agents whose nonces are counted; beyond it the one that began longest ago is given up. */
  countedAgentsMax: 4_096,
  nonceTimeoutMs: 2_000,
  /** Public keys that are kept ready for checking; texts of 43 characters and what OpenSSL makes of them. */
  knownKeysMax: 4_096,
} as const;
