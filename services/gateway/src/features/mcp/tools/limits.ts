/** Bounds of what tools tell. A whole answer is bounded by `routeAnswerBytesMax` beside the transport. */
export const toolLimits = {
  /** One event of a streamed call in a progress notification; the result has it whole. */
  progressMessageCharsMax: 16 * 1024,
  /** A longer event ends the telling of progress. */
  watchedEventCharsMax: 1024 * 1024,
  /** What of an agent's own headers goes with a streamed answer; over HTTP these are passed on by name. */
  streamedHeaders: [
    'payment-required',
    'payment-response',
    'x-payment-response',
    'www-authenticate',
    'retry-after',
  ] as readonly string[],
} as const;
