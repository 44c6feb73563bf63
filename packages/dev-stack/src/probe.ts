import { get } from 'node:http';
import { connect } from 'node:net';
import { connectJetStream } from '@agent-trust/nats-rpc';
import pg from 'pg';
import { oneLine, StackError } from './stack-error.ts';

const answerTimeoutMs = 3_000;

/** Whether a GET of `url` is answered 200. Never rejects. */
export function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: answerTimeoutMs }, (response) => {
      response.resume();
      response.once('error', () => undefined);
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
    request.once('close', () => resolve(false));
  });
}

/**
 * Whether a service at `url` runs: it is ready, or it waits for the operator to settle which event log holds, as the command that does so
 * needs it to. `settle` is told why. Never rejects.
 */
export async function isRunning(url: string, settle: (why: string) => void): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
    const { parts } = (await response.json()) as { parts?: { log_state?: { status?: string; detail?: string } } };
    if (response.ok) return true;
    const isOther = parts?.log_state?.status === 'down';
    if (isOther) settle(parts?.log_state?.detail ?? '');
    return isOther;
  } catch {
    return false;
  }
}

/** Whether the health of a service at `url` says that it is starting. Never rejects. */
export async function saysStarting(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
    const { parts } = (await response.json()) as { parts?: { service?: { detail?: string } } };
    return parts?.service?.detail?.startsWith('starting') === true;
  } catch {
    return false;
  }
}

/** How long a probe of JetStream waits for a connection, and for the answer: a busy machine must not be taken for a stuck server. */
const jetStreamProbeMs = 2_000;

/** Whether the JetStream of a NATS server answers, on a connection of its own: an older one may be stuck. Never rejects. */
export async function jetStreamAnswersAt(natsUrl: string): Promise<boolean> {
  const limits = {
    connectTimeoutMs: jetStreamProbeMs,
    jetStreamProbeTimeoutMs: jetStreamProbeMs,
    jetStreamFailuresMax: 1,
  };
  try {
    const link = await connectJetStream({ natsUrl, service: 'gateway', instanceId: 'supervisor', limits });
    const answers = link.answers();
    await link.close();
    return answers;
  } catch {
    return false;
  }
}

/** Why nothing can be reached at `host:port`, or `undefined` if something accepts connections there. */
const whyUnreachable = (host: string, port: number): Promise<string | undefined> => {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (reason: string | undefined): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(answerTimeoutMs, () => done(`no answer within ${answerTimeoutMs / 1000} s`));
    socket.once('error', (error) => done((error as NodeJS.ErrnoException).code ?? error.message));
    socket.once('connect', () => done(undefined));
  });
};

const connectTimeoutMs = 5_000;

/** NATS and EventStoreDB accept several servers, separated by commas; those of NATS may have a scheme each. */
const placesOf = (url: string, defaultPort: number): { host: string; port: number }[] => {
  const [, authorities = ''] = /^[^:]+:\/\/([^?]*)/.exec(url) ?? [];
  return authorities.split(',').map((one) => {
    const authority = one
      .replace(/^[a-z]+:\/\//, '')
      .replace(/^[^@/]*@/, '')
      .replace(/\/.*$/, '');
    const { hostname, port } = new URL(`http://${authority}`);
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (/:\d+$/.test(authority) ? 80 : defaultPort) : Number(port),
    };
  });
};

/** @throws StackError if the Postgres of `variable` does not accept the user. */
export async function requirePostgres(variable: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (error) {
    const where = namesOf(placesOf(url, 5432));
    throw new StackError(
      `${variable} names a Postgres at ${where} that cannot be used (${oneLine(error)}): start it or correct the URL, or unset ${variable} to use the embedded one`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws StackError if nothing accepts connections at any address of `variable`. */
export async function requireListener(variable: string, what: string, url: string, defaultPort: number): Promise<void> {
  // With service discovery by DNS (`esdb+discover`) there is no address to try.
  if (url.includes('+discover:')) return;
  const places = placesOf(url, defaultPort);
  const reasons = await Promise.all(places.map(({ host, port }) => whyUnreachable(host, port)));
  if (reasons.includes(undefined)) return;
  throw new StackError(
    `${variable} names ${what} at ${namesOf(places)} that cannot be reached (${reasons.join(', ')}): start it or correct the URL, or unset ${variable} to use the embedded one`,
  );
}

const namesOf = (places: { host: string; port: number }[]): string =>
  places.map(({ host, port }) => `${host}:${port}`).join(', ');
