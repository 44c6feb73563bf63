const mebibyte = 1024 * 1024;

/** Limits of a call-proxy, beside those of both proxies (`proxyLimits`) and its waits beside the agent's own time (`callWaitsMs`). */
export const callProxyLimits = {
  /** Messages and answers up to this do not count towards `heldBytes`. */
  shortBytesMax: 64 * 1024,
  /** Bytes of long messages that a proxy holds at one time, and as many of long answers. One of 10 MiB fits everywhere. */
  heldBytes: {
    perCallerMax: 20 * mebibyte,
    perOrgMax: 30 * mebibyte,
    ofOrgsMax: 60 * mebibyte,
    withoutOrgMax: 30 * mebibyte,
  },
  /** Added to all waits of an exchange: for a proxy that was held up, and for different clocks of the log and of the read model's database. */
  exchangeEndMarginMs: 30_000,
  /** A2A servers whose wire form is remembered. */
  rememberedTargetsMax: 10_000,
  /** Long enough that a flood to a dead agent costs one lookup, short enough that no caller is sent to an agent that has left. */
  fallbackKeptMs: 5_000,
  fallbacksKeptMax: 1_000,
  /** Errors about the wire form are short. */
  wireFormErrorBytesMax: 64 * 1024,
  sweep: {
    /** Pause between two searches of one proxy; up to half is subtracted at random, so that the proxies' searches do not coincide. */
    everyMs: 15_000,
    /** The pause after a search that found as many as it asked for. */
    againMs: 1_000,
    /** Exchanges that one search ends, all at one time. */
    exchangesMax: 100,
    queryTimeoutMs: 5_000,
  },
} as const;
