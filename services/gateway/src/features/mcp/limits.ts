import { limits } from '@agent-trust/contracts';

/** Bounds of the MCP server. A message has the limit of other bodies: `limits.bodyBytesMax` of contracts. */
export const mcpLimits = {
  /** Answer of a route to a tool; a /call carries 10 MiB, which grow as JSON. */
  routeAnswerBytesMax: 16 * 1024 * 1024,

  /** A session that is unused for so long ends. */
  sessionIdleMs: 30 * 60_000,
  /** How often its use is recorded; a session may end this much too early. */
  sessionTouchMs: 60_000,
  /** Places for sessions of one client address. A further session takes the place of one that is idle for `sessionYieldsMs`. */
  sessionsPerAddressMax: 1_024,
  sessionYieldsMs: 5 * 60_000,
  /** Places that are tried for a new session before it is refused. */
  placesTriedMax: 16,
  /** All sessions, one sealed record each. A full store refuses new ones. */
  sessionBytesMax: 2 * 1024,
  sessionBucketBytesMax: 32 * 1024 * 1024,
  setKeyCharsMax: 256,
  writeAttemptsMax: 5,
  storeTimeoutMs: 2_000,

  /** Running messages of one session at one gateway, and of all sessions. */
  requests: { ownerMax: 64, allMax: 2_048 },
  /** Messages in one body; only protocol version 2025-03-26 has more than one. */
  batchMax: 16,
  /** Nesting depth of an agent's answer that is parsed: that of a body. */
  nestingMax: limits.bodyNestingMax,
  /** Streams of one session at one gateway, without the answers to its messages. */
  streamsPerSessionMax: 4,
  /** Streams of one client address at one gateway, and of all; its other connections are for requests. */
  streamsPerAddressMax: 512,
  streamsAtOnceMax: 4_000,
  /** Bytes buffered for a client that does not read; a longer message needs an empty buffer. */
  streamWaitingBytesMax: 32 * 1024 * 1024,
  /** Bytes buffered at one gateway; a client that would exceed them is disconnected. */
  waitingBytesMax: 256 * 1024 * 1024,
  /** How long a client may read nothing. */
  stallMs: 30_000,
  /** Silence after which a comment keeps the stream alive through proxies. */
  keepAliveMs: 15_000,
  /** The `retry` of server-sent events. */
  retryMs: 1_000,
  /** How long a call continues without its client, which may reconnect for the answer. */
  unattendedMs: 60_000,

  /** How long a lost message can be fetched. */
  eventLifetimeMs: 10 * 60_000,
  /** A longer message is not kept; a client that asks for it gets an error. */
  eventBytesMax: 512 * 1024,
  eventBucketBytesMax: 64 * 1024 * 1024,
  /** How long a reconnected client waits for the next event, and how often the gateway checks. */
  followMs: 60_000,
  followPollMs: 250,

  /** The timeout of a message to another gateway. */
  peerTimeoutMs: 3_000,
} as const;

/** Bounds of tool results. `routeAnswerBytesMax` bounds a whole answer. */
export const toolLimits = {
  /** One event of a streamed call in a progress notification; the result has all of it. */
  progressMessageCharsMax: 16 * 1024,
  /** A longer event ends the progress notifications. */
  watchedEventCharsMax: 1024 * 1024,
  /** An agent's own headers in a streamed answer, as over HTTP. */
  streamedHeaders: [
    'payment-required',
    'payment-response',
    'x-payment-response',
    'www-authenticate',
    'retry-after',
  ] as readonly string[],
} as const;
