/** Bounds on asking the key directories of organisations' domains. */
export const keyDirectoryLimits = {
  /** From the request to the last byte of the directory. */
  fetchTimeoutMs: 5_000,
  bodyBytesMax: 64 * 1024,
  keysMax: 256,
  /** How long the keys of a domain are used before it is asked again; a key that was taken down is good for so long. */
  keptMs: 5 * 60_000,
  /** How long a domain that could not be asked is left alone. */
  faultKeptMs: 30_000,
  /** Domains whose answers are kept; beyond it the one that was asked longest ago is given up. */
  domainsMax: 512,
  /** Domains asked at one time. */
  fetchesMax: 32,
} as const;
