import { readFileSync } from 'node:fs';
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { EventLogSetupError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';

export type Endpoint = { address: string; port: number };

/** An address of EventStoreDB, as `EVENT_LOG_URL` gives it. */
export type ServerAddress = {
  /** One node; several nodes of one cluster; or a name whose addresses are the nodes of one cluster. */
  kind: 'node' | 'seeds' | 'name';
  endpoints: Endpoint[];
  channel: ChannelCredentials;
  isTls: boolean;
  /** Value of the header `authorization`, if the address has a user; the server ignores it without TLS. */
  authorization: string | null;
  /** The name of that user. */
  user: string | null;
  connectionName: string;
  keepAliveMs: number;
  keepAliveTimeoutMs: number;
  gossipTimeoutMs: number;
  discoveryIntervalMs: number;
};

/**
 * Reads every form of connection string that the client of EventStoreDB takes: `esdb://node:2113`, `esdb://a:2113,b:2113,c:2113` and
 * `esdb+discover://name`, with a user and options. The log is read and written at the leader: `nodePreference` has no effect; nor have
 * `maxDiscoverAttempts`, `defaultDeadline` and `throwOnAppendFailure`, because each call has its own deadline.
 */
export function readConnectionString(url: string, connectionName: string): ServerAddress {
  try {
    const options = parseConnectionString(url);
    if (options.hosts.length === 0) throw new Error('it names no host');
    const { username, password } = options.defaultCredentials ?? {};
    const isTls = options.tls !== false;
    const { keepAliveMs, keepAliveTimeoutMs, gossipTimeoutMs, discoveryIntervalMs } = eventLogLimits.eventStoreDb;
    return {
      kind: options.dnsDiscover ? 'name' : options.hosts.length > 1 ? 'seeds' : 'node',
      endpoints: options.hosts,
      channel: isTls ? tls(options) : credentials.createInsecure(),
      isTls,
      authorization:
        username === undefined || !isTls
          ? null
          : `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`,
      user: isTls ? (username ?? null) : null,
      connectionName: options.connectionName ?? connectionName,
      keepAliveMs: milliseconds(options.keepAliveInterval, keepAliveMs),
      keepAliveTimeoutMs: milliseconds(options.keepAliveTimeout, keepAliveTimeoutMs),
      // The client counts this one in seconds.
      gossipTimeoutMs: options.gossipTimeout === undefined ? gossipTimeoutMs : options.gossipTimeout * 1_000,
      discoveryIntervalMs: options.discoveryInterval ?? discoveryIntervalMs,
    };
  } catch (cause) {
    // The client's own message may quote the address with the password.
    throw new EventLogSetupError('EVENT_LOG_URL is not a valid esdb:// connection string.', {
      cause: redacted(cause, url),
    });
  }
}

const longestMs = 2 ** 31 - 1;

/** A negative number switches keep-alive off. */
const milliseconds = (given: number | undefined, byDefault: number): number =>
  given === undefined ? byDefault : given < 0 ? longestMs : given;

const tls = (files: { tlsCAFile?: string; userCertFile?: string; userKeyFile?: string }): ChannelCredentials => {
  const { tlsCAFile, userCertFile, userKeyFile } = files;
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    throw new Error('userCertFile and userKeyFile are given together or not at all');
  }
  const read = (path: string | undefined): Buffer | null => (path === undefined ? null : readFileSync(path));
  return credentials.createSsl(read(tlsCAFile), read(userKeyFile), read(userCertFile));
};

const redacted = (cause: unknown, url: string): string => {
  const password = /^[^:]+:\/\/[^:/@]*:([^@]+)@/.exec(url)?.[1];
  const text = cause instanceof Error ? cause.message : String(cause);
  return password === undefined ? text : text.replaceAll(password, '***');
};
