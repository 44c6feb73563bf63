/** Bounds of a call-proxy. Its waits beside the agent's own time are `callWaitsMs` of contracts. */
export const callProxyLimits = {
  /** Longest life of a streamed answer, however lively it is. */
  streamTotalMs: 15 * 60_000,
  /** Bytes of a streamed answer. It is never held whole, so this bounds what one call may carry, not what it needs of memory. */
  streamedAnswerBytesMax: 1024 * 1024 * 1024,
  /**
   * How long a caller may leave a full window of a streamed answer unread. A caller that reads a few KiB a second needs about a minute
   * for a quarter of a window, which is when the proxy hears of it.
   */
  callerStallMs: 180_000,
  /** Granted to an exchange beyond all waits: for a proxy that was held up, and clocks of the log and of the read model's database that differ. */
  exchangeEndMarginMs: 30_000,
  /** Between attempts to record how an exchange ended; they double from the first to the longest. */
  recordEndPauseMs: { first: 50, longest: 1_000 },
  /**
   * Calls that a proxy looks at, for each that it may carry: those that are refused for their target's sake must leave room for others. They
   * cost little, since a message is read once the call has been admitted at its target.
   */
  lookedAtPerCarried: 2,
  /** A2A servers whose wire form is remembered. */
  rememberedTargetsMax: 10_000,
  /** Long enough for a flood to a dead agent to cost one look-up, short enough that nobody is sent to an agent long gone. */
  fallbackKeptMs: 5_000,
  fallbacksKeptMax: 1_000,
  /** Errors that tell of the wire form are short. */
  wireFormErrorBytesMax: 64 * 1024,
  sweep: {
    /** Pause between two searches of one proxy, drawn at random from its upper half so that many proxies do not search as one. */
    everyMs: 15_000,
    /** The pause after a search that found as many as it asked for. */
    againMs: 1_000,
    /** Exchanges that one search ends, all at one time. */
    exchangesMax: 100,
    queryTimeoutMs: 5_000,
  },
} as const;
