import type { NatsConnection } from '@nats-io/nats-core';
import type { ToRefusal } from './errors.ts';
import type { RpcLimits, RpcLogger } from './limits.ts';
import type { Received, Sent, StreamMethod, UnaryMethod } from './method.ts';
import type { InstanceState, RollCallAnswer, RollCallExtra } from './roll-call.ts';
import type { OpenedStream } from './stream/client-stream.ts';
import type { OpenStreamOptions } from './stream/stream-client.ts';
import type { ServeStreamOptions, StreamHandler } from './stream/stream-server.ts';
import type { RequestOptions } from './unary-client.ts';
import type { ServeOptions, UnaryHandler } from './unary-server.ts';

export type RpcOptions = {
  /** `nats://user:password@host:port`, several separated by commas. */
  natsUrl: string;
  /** This service's name: its queue group as a server, and its name as a caller. */
  service: string;
  /** Unique among the running instances of the service. */
  instanceId: string;
  logger?: RpcLogger;
  limits?: Partial<RpcLimits>;
  /** Called at each failed attempt of the first connection, which is repeated until `connectTimeoutMs` has passed. */
  onConnectFailed?: ((cause: unknown) => void) | undefined;
  /** Ends these attempts; they reject with its reason. */
  signal?: AbortSignal | undefined;
  /** The version of the service: with it, the instance answers roll calls. */
  version?: string;
  /** Distinguishes refusals (a DomainError, for example) from failures, for every method served here. */
  toRefusal?: ToRefusal;
};

export type RpcStatus = {
  connected: boolean;
  server: string;
  /** Unary requests and streams of this side that are under way. */
  pendingCalls: number;
  /** Streams opened by this side. */
  openStreams: number;
  runningHandlers: number;
};

/** A service on the bus: it calls other services and serves its own methods over one connection. */
export type Rpc = {
  /**
   * Sends a request and waits for the answer. Rejects with an `RpcError`: `RpcRefusedError` (the handler refused), `RpcUnavailableError` (`reason`,
   * `outcomeUnknown`), `RpcTimeoutError`, `RpcInternalError`, `RpcProtocolError`, `RpcPayloadTooLargeError`, `RpcForbiddenError`,
   * `RpcCancelledError`. Without a connection to NATS it waits `reconnectWaitMs` for one, within the call's own deadline.
   */
  request<Method extends UnaryMethod>(
    method: Method,
    input: Sent<Method['input']>,
    options?: RequestOptions,
  ): Promise<Received<Method['output']>>;
  /** Serves a unary method in the queue group of this service; resolves when the server has confirmed the subscription. */
  serve<Method extends UnaryMethod>(
    method: Method,
    handler: UnaryHandler<Method>,
    options?: ServeOptions,
  ): Promise<void>;
  /**
   * Opens a stream and resolves with its head. Rejects as `request` does; later failures reject `body` and `trailer`. Each direction holds at most
   * `windowBytes` in transit or unread, whatever the peer does.
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
  /**
   * Accepts no new calls and resolves when all running handlers have answered, or after `timeoutMs` (default `drainTimeoutMs`). Own requests still
   * work.
   */
  drain(timeoutMs?: number): Promise<void>;
  /**
   * Closes the connection. Calls under way fail as `closed`: handlers see their signal abort and have `closeTimeoutMs` to end, so that their
   * dependencies may be closed after this.
   */
  close(): Promise<void>;
  status(): RpcStatus;
  /** Asks all instances of all services who they are, and resolves after `waitMs` with the answers so far. */
  callRoll(waitMs: number, extra?: RollCallExtra | null): Promise<RollCallAnswer[]>;
  /** What this instance says of itself in roll calls from now on. */
  describe(state: () => InstanceState): void;
  /** What this instance remembers of the last minutes, for roll calls that ask for it; small enough for one message. */
  describeRecent(recent: () => unknown): void;
  /** The NATS connection itself, for messages that are no calls; never for JetStream, which has a connection of its own (`connectJetStream`). */
  readonly connection: NatsConnection;
  /** Resolves when the connection is closed for good, with the cause if there was one. */
  readonly closed: Promise<void | Error>;
};
