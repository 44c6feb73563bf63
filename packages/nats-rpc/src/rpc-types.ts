import type { NatsConnection } from '@nats-io/nats-core';
import type { ToRefusal } from './errors.ts';
import type { RpcLimits } from './limits.ts';
import type { RpcLogger } from './logger.ts';
import type { Received, Sent, StreamMethod, UnaryMethod } from './method.ts';
import type { OpenedStream } from './stream/client-stream.ts';
import type { OpenStreamOptions } from './stream/stream-client.ts';
import type { ServeStreamOptions, StreamHandler } from './stream/stream-server.ts';
import type { RequestOptions } from './unary-client.ts';
import type { ServeOptions, UnaryHandler } from './unary-server.ts';

export type RpcOptions = {
  /** `nats://user:password@host:port`, several separated by commas. */
  natsUrl: string;
  /** This service's name: the queue group it serves in, and the name it asks by. */
  service: string;
  /** Unique among the running instances of the service. */
  instanceId: string;
  logger?: RpcLogger;
  limits?: Partial<RpcLimits>;
  /** Tells refusals (a DomainError, say) from failures, for every method served here. */
  toRefusal?: ToRefusal;
};

export type RpcStatus = {
  connected: boolean;
  server: string;
  /** Unary requests and streams of this side that are under way. */
  pendingCalls: number;
  /** Streams that this side has opened. */
  openStreams: number;
  runningHandlers: number;
};

/** One service's place on the bus: it asks others and serves others over one connection. */
export type Rpc = {
  /**
   * Asks and awaits the answer. Rejects with an `RpcError`: `RpcRefusedError` (the handler refused), `RpcUnavailableError` (`reason`, `outcomeUnknown`),
   * `RpcTimeoutError`, `RpcInternalError`, `RpcProtocolError`, `RpcPayloadTooLargeError`, `RpcForbiddenError`, `RpcCancelledError`.
   * While NATS is away it waits `reconnectWaitMs` for it, within the call's own deadline.
   */
  request<Method extends UnaryMethod>(
    method: Method,
    input: Sent<Method['input']>,
    options?: RequestOptions,
  ): Promise<Received<Method['output']>>;
  /** Serves a unary method in the queue group of this service; resolves when the server has taken the subscription. */
  serve<Method extends UnaryMethod>(
    method: Method,
    handler: UnaryHandler<Method>,
    options?: ServeOptions,
  ): Promise<void>;
  /**
   * Opens a stream and resolves with its head. Rejects as `request` does; later failures reject `body` and `trailer`.
   * Either direction holds at most `windowBytes` under way or unread, whatever the other side does.
   */
  openStream<Method extends StreamMethod>(
    method: Method,
    input: Sent<Method['input']>,
    options?: OpenStreamOptions,
  ): Promise<OpenedStream<Method>>;
  /** Serves a streaming method in the queue group of this service. */
  serveStream<Method extends StreamMethod>(
    method: Method,
    handler: StreamHandler<Method>,
    options?: ServeStreamOptions,
  ): Promise<void>;
  /** Takes nothing new and resolves when all that runs is answered, or after `timeoutMs` (default `drainTimeoutMs`). Own requests still work. */
  drain(timeoutMs?: number): Promise<void>;
  /**
   * Closes the connection. What is under way fails as `closed`: handlers see their signal abort and have `closeTimeoutMs` to end,
   * so that what they use may be closed after this.
   */
  close(): Promise<void>;
  status(): RpcStatus;
  /** The NATS connection itself, for JetStream. */
  readonly connection: NatsConnection;
  /** Resolves when the connection is closed for good, with the cause if there was one. */
  readonly closed: Promise<void | Error>;
};
