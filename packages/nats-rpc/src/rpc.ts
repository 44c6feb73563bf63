import { withFallback } from '@agent-trust/limits';
import { observe } from '@agent-trust/metrics';
import type { Msg, Subscription } from '@nats-io/nats-core';
import { connectLink, type Link } from './connection.ts';
import { RpcForbiddenError, RpcUnavailableError } from './errors.ts';
import { defaultLimits, type RpcLimits, type RpcLogger, silentLogger } from './limits.ts';
import { ReplyRouter } from './reply-router.ts';
import {
  callRoll,
  type InstanceState,
  rollCallAnswer,
  rollCallExtra,
  rollCallReply,
  rollCallSubject,
  unremarkable,
} from './roll-call.ts';
import type { Rpc, RpcOptions } from './rpc-types.ts';
import { StreamClient } from './stream/stream-client.ts';
import type { StreamEnd } from './stream/stream-end.ts';
import { StreamServer } from './stream/stream-server.ts';
import { controlsOf, requestSubject, requireToken } from './subjects.ts';
import { UnaryClient } from './unary-client.ts';
import { type ServeOptions, UnaryServer } from './unary-server.ts';

/** Connects a service to NATS. Rejects with an AuthorizationError of the NATS client, `RpcUnavailableError` or `RpcForbiddenError`. */
export async function connectRpc(options: RpcOptions): Promise<Rpc> {
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
    return await makeRpc(options, link, router, limits, logger);
  } catch (error) {
    await link.connection.close();
    throw error;
  }
}

const ignore = (): void => {};

/** The server of one method. */
type MethodServer = {
  handle(message: Msg): void;
  readonly running: { readonly count: number; idle(): Promise<void> };
  abortAll(): void;
};

const makeRpc = async (
  options: RpcOptions,
  link: Link,
  router: ReplyRouter,
  limits: RpcLimits,
  logger: RpcLogger,
): Promise<Rpc> => {
  const { connection } = link;
  const { service } = options;
  const unary = new UnaryClient(link, router, limits);
  const streamClient = new StreamClient(link, router, limits);
  const served: { subscription: Subscription; server: MethodServer }[] = [];
  const streams = new Map<string, StreamEnd>();
  let controls: Promise<Subscription> | undefined;

  const stopObserving = observe((report) => report('registry.bus.connected', link.isConnected() ? 1 : 0));

  link.onLost(() => {
    for (const end of streams.values())
      end.close(new RpcUnavailableError('connection_lost', 'the connection to NATS broke'));
  });

  /** Subscribes, and resolves when the server has confirmed it: a refusal comes before the answer to the flush. */
  const subscribe = async (
    subject: string,
    queue: string | undefined,
    handle: (message: Msg) => void,
  ): Promise<Subscription> => {
    let refusal: Error | undefined;
    const subscription = connection.subscribe(subject, {
      ...(queue && { queue }),
      callback: (error, message) => {
        if (error) {
          refusal = error;
          return;
        }
        try {
          handle(message);
        } catch (cause) {
          // An exception here would end the read loop of the NATS client.
          logger.error({ service, err: cause, subject }, 'handling a message failed');
        }
      },
    });
    await connection.flush();
    if (refusal) throw new RpcForbiddenError(`${service} may not listen on ${subject}`, { cause: refusal });
    return subscription;
  };

  const listenForControls = async (): Promise<void> => {
    controls ??= subscribe(controlsOf(service, options.instanceId), undefined, (message) => {
      const end = streams.get(message.subject);
      if (message.headers?.code === 503) end?.peerGone();
      else end?.receive(message.data);
    });
    await controls;
  };

  const serverParts = ({
    concurrentMax = limits.concurrentHandlersMax,
    toRefusal = options.toRefusal,
  }: ServeOptions) => ({
    connection,
    isConnected: link.isConnected,
    logger,
    concurrentMax,
    toRefusal,
  });

  const serve = async (method: { service: string; method: string }, server: MethodServer): Promise<void> => {
    if (method.service !== service) throw new TypeError(`${service} cannot serve ${method.service}/${method.method}`);
    const subject = requestSubject(service, method.method);
    served.push({ subscription: await subscribe(subject, service, (message) => server.handle(message)), server });
  };

  let stateOf: () => InstanceState = unremarkable;
  let recentOf: (() => unknown) | null = null;
  const answerRollCalls = async (version: string): Promise<void> => {
    const startedAt = new Date(performance.timeOrigin).toISOString();
    const { instanceId } = options;
    try {
      await subscribe(rollCallSubject, undefined, ({ reply, data }) => {
        const subject = rollCallReply(reply, service);
        if (subject === null || !link.isConnected()) return;
        const recent = recentOf !== null && rollCallExtra(data) === 'recent' ? { recent: recentOf() } : {};
        connection.publish(subject, rollCallAnswer({ instanceId, version, startedAt, ...stateOf(), ...recent }));
      });
    } catch (error) {
      // With permissions of an earlier version the service works, but GET /ops/status does not list it.
      if (!(error instanceof RpcForbiddenError)) throw error;
      logger.warn({ service, err: error }, 'this instance cannot be listed: renew the permissions in nats.conf');
    }
  };
  if (options.version !== undefined) await answerRollCalls(options.version);

  return {
    connection,
    closed: link.closed,
    callRoll: (waitMs, extra = null) => callRoll(connection, options, waitMs, extra),
    describe: (state) => {
      stateOf = state;
    },
    describeRecent: (recent) => {
      recentOf = recent;
    },
    request: (method, input, requestOptions) => unary.request(method, input, requestOptions),
    openStream: (method, input, streamOptions) => streamClient.open(method, input, streamOptions),
    serve: (method, handler, serveOptions = {}) => {
      const server = new UnaryServer(method, handler, {
        ...serverParts(serveOptions),
        defaultTimeoutMs: limits.requestTimeoutMs,
      });
      return serve(method, server);
    },
    serveStream: async (method, handler, serveOptions = {}) => {
      await listenForControls();
      const server = new StreamServer(method, handler, {
        ...serverParts(serveOptions),
        instanceId: options.instanceId,
        limits,
        idleTimeoutMs: serveOptions.idleTimeoutMs ?? limits.idleTimeoutMs,
        streams,
      });
      await serve(method, server);
    },
    drain: async (timeoutMs = limits.drainTimeoutMs) => {
      const finished = Promise.all(
        served.map(async ({ subscription, server }) => {
          if (!subscription.isClosed() && link.isConnected()) await subscription.drain();
          await server.running.idle();
        }),
      );
      await withFallback(finished, timeoutMs, ignore);
      if (link.isConnected()) await connection.flush();
    },
    close: async () => {
      for (const { server } of served) server.abortAll();
      await withFallback(Promise.all(served.map(({ server }) => server.running.idle())), limits.closeTimeoutMs, ignore);
      stopObserving();
      await connection.close();
      await link.closed;
    },
    status: () => ({
      connected: link.isConnected(),
      server: connection.getServer(),
      pendingCalls: router.size,
      openStreams: streamClient.openCount,
      runningHandlers: served.reduce((sum, { server }) => sum + server.running.count, 0),
    }),
  };
};
