import type { BackoffOptions } from '@agent-trust/limits';

/** All limits of this package. Each can be set per connection. */
export type RpcLimits = {
  /** How long `connectRpc` tries to connect. */
  connectTimeoutMs: number;
  /** How long a new call waits for a lost connection to be restored before it fails as `disconnected`. */
  reconnectWaitMs: number;
  /** Pauses between attempts to reconnect. */
  reconnectBackoff: BackoffOptions;
  /** Deadline of a unary call that sets none. */
  requestTimeoutMs: number;
  /** Unary calls of this connection that wait for their answer at one time. */
  pendingRequestsMax: number;
  /** Concurrent handlers per served method; more are answered `overloaded`. */
  concurrentHandlersMax: number;
  /** Default of `drain`: how long it waits for running handlers. */
  drainTimeoutMs: number;
  /** How long `close` waits for the handlers that it aborts, so that they can record how they ended. */
  closeTimeoutMs: number;

  /** How often JetStream is asked whether it answers; while it does not, how soon again; and how long it may take. */
  jetStreamProbeEveryMs: number;
  jetStreamRetryMs: number;
  jetStreamProbeTimeoutMs: number;
  /** Answers that fail to come in a row before JetStream counts as silent. */
  jetStreamFailuresMax: number;

  /** Streams opened by this side at one time. */
  openStreamsMax: number;
  /** Bytes of one data frame. */
  chunkBytesMax: number;
  /** Bytes (with the overhead of each frame) that may be in transit or unread in one direction of one stream. No budget counts them. */
  windowBytes: number;
  /** A request body up to this size travels inside the opening message, an answer up to this size in one frame. */
  inlineBytesMax: number;
  /** How long an opening waits for the end of a body that may turn out small. */
  inlineWaitMs: number;
  /** How long the serving side waits for a complete small answer before it accepts the stream with a frame of its own. */
  acceptDelayMs: number;
  /** From the opening of a stream to its head, unless the opener sets another time. */
  headTimeoutMs: number;
  /** Without progress: the reader waits for data, or the writer for credit. */
  idleTimeoutMs: number;
  /** A side that has sent nothing for this long sends a keep-alive, which also detects a lost peer. */
  keepAliveMs: number;
  /** A peer that has sent nothing for this long is considered lost. */
  peerSilenceMsMax: number;
};

export const defaultLimits: Readonly<RpcLimits> = {
  connectTimeoutMs: 15_000,
  reconnectWaitMs: 2_000,
  reconnectBackoff: { firstMs: 50, longestMs: 2_000 },
  requestTimeoutMs: 5_000,
  pendingRequestsMax: 10_000,
  concurrentHandlersMax: 256,
  // Together less than the 10 s that a service has to stop.
  drainTimeoutMs: 6_000,
  closeTimeoutMs: 2_000,

  jetStreamProbeEveryMs: 2_000,
  jetStreamRetryMs: 500,
  jetStreamProbeTimeoutMs: 2_000,
  jetStreamFailuresMax: 2,

  openStreamsMax: 1_024,
  chunkBytesMax: 64 * 1024,
  windowBytes: 128 * 1024,
  inlineBytesMax: 64 * 1024,
  inlineWaitMs: 10,
  acceptDelayMs: 100,
  headTimeoutMs: 35_000,
  idleTimeoutMs: 60_000,
  keepAliveMs: 2_000,
  peerSilenceMsMax: 10_000,
};

/** The part of a logger that this package uses; pino's has this shape. */
export type RpcLogger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silentLogger: RpcLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
