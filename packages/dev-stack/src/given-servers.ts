import pg from 'pg';
import { whyUnreachable } from './probe.ts';
import { oneLine, StackError } from './stack-error.ts';

const connectTimeoutMs = 5_000;

const whereOf = (url: string, defaultPort: number): { host: string; port: number } => {
  // NATS and EventStoreDB accept several servers, separated by commas; an answer of the first one is enough here.
  const [, authority = ''] = /^[^:]+:\/\/(?:[^@/]*@)?([^/?,]*)/.exec(url) ?? [];
  const { hostname, port } = new URL(`http://${authority}`);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (/:\d+$/.test(authority) ? 80 : defaultPort) : Number(port),
  };
};

/** @throws StackError if the Postgres of `variable` does not accept the user. */
export async function requirePostgres(variable: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (error) {
    const { host, port } = whereOf(url, 5432);
    throw new StackError(
      `${variable} names a Postgres at ${host}:${port} that cannot be used (${oneLine(error)}): start it or correct the URL, or unset ${variable} to use the embedded one`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws StackError if nothing accepts connections at the address of `variable`. */
export async function requireListener(variable: string, what: string, url: string, defaultPort: number): Promise<void> {
  // With service discovery by DNS (`esdb+discover`) there is no address to try.
  if (url.includes('+discover:')) return;
  const { host, port } = whereOf(url, defaultPort);
  const reason = await whyUnreachable(host, port);
  if (reason === undefined) return;
  throw new StackError(
    `${variable} names ${what} at ${host}:${port} that cannot be reached (${reason}): start it or correct the URL, or unset ${variable} to use the embedded one`,
  );
}
