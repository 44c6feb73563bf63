/** Bounds of the MCP server. A message is no longer than the body of any other request: `limits.bodyBytesMax` of contracts. */
export const mcpLimits = {
  /** Answer of a route that a tool hands on; a /call carries 10 MiB, which grow when they are written as JSON. */
  routeAnswerBytesMax: 16 * 1024 * 1024,

  /** A session that is not used for so long is over. */
  sessionIdleMs: 30 * 60_000,
  /** How often its use is written down; a session is over this much too early at most. */
  sessionTouchMs: 60_000,
  /** Sessions of one client address. Each has a place there; who wants a further one gets the place of one that is idle for `sessionYieldsMs`. */
  sessionsPerAddressMax: 1_024,
  sessionYieldsMs: 5 * 60_000,
  /** Places that are tried for a new session before it is refused. */
  placesTriedMax: 16,
  /** All sessions, one sealed record each. A full store refuses new ones. */
  sessionBytesMax: 2 * 1024,
  sessionBucketBytesMax: 32 * 1024 * 1024,
  /** Longest key that `set_agent_key` takes. */
  setKeyCharsMax: 256,
  writeAttemptsMax: 5,
  storeTimeoutMs: 2_000,

  /** Messages of one session that are worked on at one gateway, and of all sessions. */
  requestsPerSessionMax: 64,
  requestsAtOnceMax: 2_048,
  /** Messages in one body; 2025-03-26 is the only protocol version that has more than one. */
  batchMax: 16,
  /** Objects and arrays within each other in one body, and in what an agent answers. */
  nestingMax: 256,
  /** Streams that one session listens on at one gateway, beside the answers to its messages. */
  streamsPerSessionMax: 4,
  /** Streams of one client address at one gateway, and of all; the rest of its connections is for requests. */
  streamsPerAddressMax: 512,
  streamsAtOnceMax: 4_000,
  /** What may wait in an answer or a stream for a client that does not read; a longer message finds an empty one. */
  streamWaitingBytesMax: 32 * 1024 * 1024,
  /** What may wait so in all of one gateway; who is to get more is cut off. */
  waitingBytesMax: 256 * 1024 * 1024,
  /** How long a client may take nothing of what it is sent. */
  stallMs: 30_000,
  /** Silence in a stream after which a comment is sent, so that no proxy takes it for dead. */
  keepAliveMs: 15_000,
  /** How long a client that lost a stream is to wait before it comes back. */
  retryMs: 1_000,
  /** How long a call goes on whose client has left and may come back for the answer. */
  unattendedMs: 60_000,

  /** How long a kept message can be fetched by a client that lost its stream. */
  eventLifetimeMs: 10 * 60_000,
  /** A longer message is not kept; who comes back for it is told so. */
  eventBytesMax: 512 * 1024,
  eventBucketBytesMax: 64 * 1024 * 1024,
  /** How long a client that came back is kept waiting for what is not there yet, and how often that is looked for. */
  followMs: 60_000,
  followPollMs: 250,

  /** How long another gateway has to take a message for a stream that it holds. */
  peerTimeoutMs: 3_000,
} as const;

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
