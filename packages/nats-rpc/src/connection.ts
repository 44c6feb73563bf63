import { backoffMs, natsVersionFault, pause, withDeadline } from '@agent-trust/limits';
import { AuthorizationError, type NatsConnection, PermissionViolationError } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { RpcUnavailableError } from './errors.ts';
import type { RpcLimits, RpcLogger } from './limits.ts';

type LinkOptions = {
  /** `nats://user:password@host:port`; several, separated by commas, are one cluster, with the user of the first. */
  natsUrl: string;
  service: string;
  instanceId: string;
  limits: RpcLimits;
  logger: RpcLogger;
  onConnectFailed?: ((cause: unknown) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** A NATS connection that reconnects by itself and reports when it is lost. */
export type Link = {
  readonly connection: NatsConnection;
  readonly isConnected: () => boolean;
  /** Resolves once connected; rejects as `disconnected` after `waitMs`. */
  whenConnected(waitMs: number): Promise<void>;
  /** Called when the connection breaks and when it is closed: calls under way are lost. */
  onLost(listener: () => void): void;
  /** Called when the server refuses a publish or a subscription for lack of permission. */
  onForbidden(listener: (violation: PermissionViolationError) => void): void;
  /** Resolves when the connection is closed for good. */
  readonly closed: Promise<void | Error>;
};

/**
 * Splits the URL, because the client takes credentials and TLS only as options. With `tls://`, a connection without TLS is refused; without the
 * option, the client would speak TLS only where the server asks for it, so whoever sits between them could read along.
 */
const parseNatsUrl = (natsUrl: string): { servers: string[]; user?: string; pass?: string; tls?: object } => {
  const urls = natsUrl
    .split(',')
    .map((part) => new URL(part.trim().includes('://') ? part.trim() : `nats://${part.trim()}`));
  const first = urls[0];
  const servers = urls.map((url) => `${url.hostname}:${url.port || '4222'}`);
  const secured = urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {};
  if (!first?.username) return { servers, ...secured };
  return { servers, ...secured, user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) };
};

/**
 * Connects, retrying until `connectTimeoutMs` has passed. Later breaks are retried for ever, with growing, jittered pauses. Rejects at once with the
 * client's `AuthorizationError` if the credentials are wrong, with `NatsVersionError` if the server is too old, else as `disconnected`.
 */
export async function connectLink(options: LinkOptions): Promise<Link> {
  const { service, instanceId, limits, logger } = options;
  const attempts = { failed: 0 };
  const connection = await connectFirst(options, attempts);
  await refuseOldServer(connection);
  const lost: (() => void)[] = [];
  const forbidden: ((violation: PermissionViolationError) => void)[] = [];
  let connected = true;
  let waiting = 0;
  let reconnected = Promise.withResolvers<void>();
  reconnected.promise.catch(() => {});

  const breakLink = (): void => {
    connected = false;
    reconnected = Promise.withResolvers<void>();
    reconnected.promise.catch(() => {});
    for (const listener of lost) listener();
  };

  const watch = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        logger.warn({ service, instanceId, server: status.server }, 'connection to NATS lost');
        if (connected) breakLink();
      } else if (status.type === 'reconnecting') {
        attempts.failed += 1;
      } else if (status.type === 'reconnect') {
        attempts.failed = 0;
        connected = true;
        logger.info({ service, instanceId, server: status.server }, 'connection to NATS restored');
        reconnected.resolve();
      } else if (status.type === 'error') {
        if (status.error instanceof PermissionViolationError) {
          logger.error(
            { service, subject: status.error.subject, operation: status.error.operation },
            'forbidden by NATS',
          );
          for (const listener of forbidden) listener(status.error);
        } else {
          logger.warn({ service, err: status.error }, 'NATS reported an error');
        }
      }
    }
  };
  watch().catch((error: unknown) => logger.error({ service, err: error }, 'watching the connection to NATS failed'));
  const closed = connection.closed().then((cause) => {
    reconnected.reject(new RpcUnavailableError('closed', 'the connection to NATS is closed'));
    connected = false;
    for (const listener of lost) listener();
    return cause;
  });

  return {
    connection,
    closed,
    isConnected: () => connected && !connection.isClosed(),
    onLost: (listener) => void lost.push(listener),
    onForbidden: (listener) => void forbidden.push(listener),
    whenConnected: async (waitMs) => {
      if (connection.isClosed()) throw new RpcUnavailableError('closed', 'the connection to NATS is closed');
      if (connected) return;
      if (waiting >= limits.pendingRequestsMax) {
        throw new RpcUnavailableError('too_many_calls', `${waiting} calls wait for NATS already`);
      }
      waiting += 1;
      try {
        await withDeadline(
          reconnected.promise,
          waitMs,
          () => new RpcUnavailableError('disconnected', `no connection to NATS within ${Math.round(waitMs)} ms`),
        );
      } finally {
        waiting -= 1;
      }
    },
  };
}

/** The server is older than what the registry needs. */
export class NatsVersionError extends Error {
  override readonly name = 'NatsVersionError';
}

const refuseOldServer = async (connection: NatsConnection): Promise<void> => {
  const fault = natsVersionFault(connection.info?.version ?? '');
  if (fault === null) return;
  await connection.close();
  throw new NatsVersionError(fault);
};

const connectFirst = async (options: LinkOptions, attempts: { failed: number }): Promise<NatsConnection> => {
  const { natsUrl, service, instanceId, limits } = options;
  const pauseMs = (): number => backoffMs(attempts.failed, limits.reconnectBackoff);
  const giveUpAt = performance.now() + limits.connectTimeoutMs;
  for (;;) {
    try {
      const connection = await connect({
        ...parseNatsUrl(natsUrl),
        name: `${service}.${instanceId}`,
        // Answers to JetStream requests; separate from `reply.`, which carries the answers of services.
        inboxPrefix: `inbox.${service}.${instanceId}`,
        reconnect: true,
        maxReconnectAttempts: -1,
        // A server that restarts and has not loaded its accounts yet must not end the connection for good.
        ignoreAuthErrorAbort: true,
        reconnectDelayHandler: pauseMs,
        timeout: Math.min(5_000, limits.connectTimeoutMs),
        pingInterval: 10_000,
        maxPingOut: 2,
        noAsyncTraces: true,
      });
      attempts.failed = 0;
      return connection;
    } catch (error) {
      if (error instanceof AuthorizationError) throw error;
      options.onConnectFailed?.(error);
      attempts.failed += 1;
      options.signal?.throwIfAborted();
      const wait = pauseMs();
      if (performance.now() + wait > giveUpAt) {
        throw new RpcUnavailableError('disconnected', `no connection to NATS within ${limits.connectTimeoutMs} ms`, {
          cause: error,
        });
      }
      await pause(wait, options.signal);
      options.signal?.throwIfAborted();
    }
  }
};
