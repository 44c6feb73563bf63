import { setTimeout as delay } from 'node:timers/promises';
import type { NatsConnection, Subscription } from '@nats-io/nats-core';
import { connectLink, type Link } from './connection.ts';
import { RpcForbiddenError, type ToRefusal } from './errors.ts';
import { defaultLimits, type RpcLimits } from './limits.ts';
import { type RpcLogger, silentLogger } from './logger.ts';
import type { Received, Sent, UnaryMethod } from './method.ts';
import { ReplyRouter } from './reply-router.ts';
import { requestSubject, requireToken } from './subjects.ts';
import { type RequestOptions, UnaryClient } from './unary-client.ts';
import { type ServeOptions, type UnaryHandler, UnaryServer } from './unary-server.ts';

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
  pendingRequests: number;
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
  /** Takes nothing new and resolves when all that runs is answered, or after `drainTimeoutMs`. Own requests still work. */
  drain(): Promise<void>;
  /** Closes the connection. What is under way fails as `closed`. */
  close(): Promise<void>;
  status(): RpcStatus;
  /** The NATS connection itself, for JetStream. */
  readonly connection: NatsConnection;
  /** Resolves when the connection is closed for good, with the cause if there was one. */
  readonly closed: Promise<void | Error>;
};

/** Connects a service to NATS. Rejects with an AuthorizationError of the NATS client, `RpcUnavailableError` or `RpcForbiddenError`. */
export const connectRpc = async (options: RpcOptions): Promise<Rpc> => {
  requireToken('service', options.service);
  requireToken('instanceId', options.instanceId);
  const limits: RpcLimits = { ...defaultLimits, ...options.limits };
  const logger = options.logger ?? silentLogger;
  const link = await connectLink({ ...options, limits, logger });
  try {
    const router = new ReplyRouter(link, options.service, options.instanceId, limits.pendingRequestsMax, logger);
    await link.connection.flush();
    if (router.subscribeError) {
      throw new RpcForbiddenError(`the NATS user may not read the answers to ${options.service}`, {
        cause: router.subscribeError,
      });
    }
    return makeRpc(options, link, router, limits, logger);
  } catch (error) {
    await link.connection.close();
    throw error;
  }
};

/** Something served: it can stop taking calls, say when it is idle, and be cut off. */
type Served = {
  subscription: Subscription;
  server: { readonly runningCount: number; idle(): Promise<void>; abortAll(): void };
};

const makeRpc = (options: RpcOptions, link: Link, router: ReplyRouter, limits: RpcLimits, logger: RpcLogger): Rpc => {
  const { connection } = link;
  const { service } = options;
  const unary = new UnaryClient(link, router, limits);
  const served: Served[] = [];

  const requireOwn = (method: { service: string; method: string }): void => {
    if (method.service !== service) throw new TypeError(`${service} cannot serve ${method.service}/${method.method}`);
  };

  return {
    connection,
    closed: link.closed,
    request: (method, input, requestOptions) => unary.request(method, input, requestOptions),
    serve: async (method, handler, serveOptions = {}) => {
      requireOwn(method);
      const server = new UnaryServer(method, handler, {
        connection,
        isConnected: link.isConnected,
        logger,
        concurrentMax: serveOptions.concurrentMax ?? limits.concurrentHandlersMax,
        defaultTimeoutMs: limits.requestTimeoutMs,
        toRefusal: serveOptions.toRefusal ?? options.toRefusal,
      });
      let forbidden: Error | undefined;
      const subscription = connection.subscribe(requestSubject(service, method.method), {
        queue: service,
        callback: (error, message) => {
          if (error) forbidden = error;
          else server.handle(message);
        },
      });
      await connection.flush();
      if (forbidden) throw new RpcForbiddenError(`${service} may not serve ${method.method}`, { cause: forbidden });
      served.push({ subscription, server });
    },
    drain: async () => {
      const finished = Promise.all(
        served.map(async ({ subscription, server }) => {
          if (!subscription.isClosed() && link.isConnected()) await subscription.drain();
          await server.idle();
        }),
      );
      await withinTime(finished, limits.drainTimeoutMs);
      if (link.isConnected()) await connection.flush();
    },
    close: async () => {
      for (const { server } of served) server.abortAll();
      await connection.close();
      await link.closed;
    },
    status: () => ({
      connected: link.isConnected(),
      server: connection.getServer(),
      pendingRequests: router.size,
      runningHandlers: served.reduce((sum, { server }) => sum + server.runningCount, 0),
    }),
  };
};

const withinTime = async (work: Promise<unknown>, timeoutMs: number): Promise<void> => {
  const timer = new AbortController();
  const tooLong = delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => {});
  try {
    await Promise.race([work, tooLong]);
  } finally {
    timer.abort();
  }
};
