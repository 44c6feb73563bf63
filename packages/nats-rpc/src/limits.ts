import type { BackoffOptions } from '@agent-trust/limits';

/** Every bound of this package, by name. All can be set per connection. */
export type RpcLimits = {
  /** How long `connectRpc` tries to reach NATS for the first time. */
  connectTimeoutMs: number;
  /** How long a new call waits for a lost connection to come back before it fails as `disconnected`. */
  reconnectWaitMs: number;
  /** Pauses between attempts to reconnect. */
  reconnectBackoff: BackoffOptions;
  /** Deadline of a unary call that names none. */
  requestTimeoutMs: number;
  /** Unary calls that await their answer at one time on this connection. */
  pendingRequestsMax: number;
  /** Handlers that run at one time per served method; more are answered `overloaded`. */
  concurrentHandlersMax: number;
  /** How long `drain` waits for what runs, when it is not told. */
  drainTimeoutMs: number;
  /** How long `close` waits for the handlers that it has cut off, so that they can write down how they ended. */
  closeTimeoutMs: number;

  /** Streams that this side has opened at one time. */
  openStreamsMax: number;
  /** Bytes of one data frame. */
  chunkBytesMax: number;
  /** Bytes (frames charged with their overhead) that may be under way or unread in one direction of one stream. */
  windowBytes: number;
  /** A request body up to this size travels inside the opening message, an answer up to it in one frame. */
  inlineBytesMax: number;
  /** How long an opening waits for a body that may yet prove small. */
  inlineWaitMs: number;
  /** How long the serving side hopes to answer with one frame before it says that it has taken the stream. */
  acceptDelayMs: number;
  /** From the opening of a stream to its head, when the opener names no other time. */
  headTimeoutMs: number;
  /** Without progress: the reader waits for data, or the writer for credit. */
  idleTimeoutMs: number;
  /** A side that has sent nothing for this long says that it is there, which also finds out whether the other is. */
  keepAliveMs: number;
  /** A peer that has said nothing for this long is gone. */
  peerSilenceMsMax: number;
};

export const defaultLimits: Readonly<RpcLimits> = {
  connectTimeoutMs: 15_000,
  reconnectWaitMs: 2_000,
  reconnectBackoff: { firstMs: 50, longestMs: 2_000 },
  requestTimeoutMs: 5_000,
  pendingRequestsMax: 10_000,
  concurrentHandlersMax: 256,
  // Together below the 10 s that a service has for stopping.
  drainTimeoutMs: 6_000,
  closeTimeoutMs: 2_000,

  openStreamsMax: 1_024,
  chunkBytesMax: 64 * 1024,
  windowBytes: 512 * 1024,
  inlineBytesMax: 64 * 1024,
  inlineWaitMs: 10,
  acceptDelayMs: 5,
  headTimeoutMs: 35_000,
  idleTimeoutMs: 60_000,
  keepAliveMs: 2_000,
  peerSilenceMsMax: 10_000,
};
