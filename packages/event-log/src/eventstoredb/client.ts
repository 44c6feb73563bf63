import { EventStoreDBClient } from '@eventstore/db-client';
import type { CallOptions, Channel, Client as GrpcClient, Metadata } from '@grpc/grpc-js';
import { EventLogSetupError } from '../errors.ts';

/**
 * The protected members of the client that the adapter uses: the call arguments (credentials, deadline, connection name), and `execute`, which
 * returns a connected stub and changes to another node if a call finds its node unavailable or not the leader. The version is pinned, and the
 * contract suite covers these members.
 */
type Internals = {
  execute<Stub extends GrpcClient, Result>(
    stub: new (...args: never[]) => Stub,
    debugName: string,
    action: (stub: Stub) => Promise<Result>,
  ): Promise<Result>;
  callArguments(options: { deadline: number; requiresLeader: boolean }): [Metadata, CallOptions];
  getChannel(): Promise<Channel>;
};

export function internalsOf(client: EventStoreDBClient): Internals {
  return client as unknown as Internals;
}

export function connectClient(url: string, connectionName: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(withDefault(url, 'connectionName', connectionName));
  } catch (cause) {
    // The client's own message may quote the address with the password.
    throw new EventLogSetupError('EVENT_LOG_URL is not a valid esdb:// connection string.', {
      cause: redacted(cause, url),
    });
  }
}

const withDefault = (url: string, name: string, value: string): string => {
  if (new RegExp(`[?&]${name}=`, 'i').test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
};

const redacted = (cause: unknown, url: string): string => {
  const password = /^[^:]+:\/\/[^:/@]*:([^@]+)@/.exec(url)?.[1];
  const text = cause instanceof Error ? cause.message : String(cause);
  return password === undefined ? text : text.replaceAll(password, '***');
};

/** Cancels all calls and closes the channel, which `dispose` leaves open. */
export async function disconnectClient(client: EventStoreDBClient): Promise<void> {
  await client.dispose();
  const channel = await internalsOf(client)
    .getChannel()
    .catch(() => null);
  channel?.close();
}
