import { randomText } from '../bytes.ts';
import { chooseCredentials, credentialHeaders } from '../credentials.ts';
import { ClientError, NetworkError, TimeoutError, UnexpectedAnswerError } from '../errors.ts';
import type { AnswerInfo, CredentialKind, Credentials, RequestOptions } from '../options.ts';
import { signRequest } from '../signature/sign-request.ts';
import { type BaseUrl, type QueryValues, queryText } from './base-url.ts';
import { type Deadline, pause, startDeadline } from './deadline.ts';
import { headerText } from './header-text.ts';
import { milliseconds } from './milliseconds.ts';
import { readText, unreadable } from './read-body.ts';
import { refusalOf } from './refusal.ts';
import { type RetryPolicy, waitBeforeRetry } from './retry.ts';

/** What fetch sends as it is. */
export type RawBody = NonNullable<RequestInit['body']>;

/** One operation of the registry, with what is asked of it. */
export type Operation = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, with its parameters percent-encoded. */
  path: string;
  /** What errors call it, where the path holds an id. */
  name?: string;
  query?: QueryValues;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  raw?: RawBody | undefined;
  headers?: Readonly<Record<string, string>>;
  /** The credentials that it takes, the one first that it sends when the client has several. */
  credentials: readonly CredentialKind[];
  /** The agent that acts: only its own signer signs. */
  actor?: string | undefined;
  /** Whether it may be sent again: always, under one Idempotency-Key, or never. */
  repeat: 'always' | 'with_key' | 'never';
  idempotencyKey?: string | undefined;
  timeoutMs?: number;
  /** Which answers are read as such; default those with a status of 2xx. */
  isAnswer?: (response: Response) => boolean;
};

export type TransportSettings = {
  base: BaseUrl;
  credentials: Credentials;
  fetch: typeof fetch;
  timeoutMs: number;
  answerBytesMax: number;
  retry: RetryPolicy;
  onAnswer: ((answer: AnswerInfo) => void) | undefined;
};

/** What an answer is made into. Whoever reads ends the deadline when nothing is waited for any more. */
export type ReadAnswer<Result> = (response: Response, deadline: Deadline, info: AnswerInfo) => Promise<Result>;

export type Transport = {
  /** @throws ClientError, or the reason of the caller's signal. */
  send<Result>(operation: Operation, options: RequestOptions, read: ReadAnswer<Result>): Promise<Result>;
  readonly answerBytesMax: number;
};

export function createTransport(settings: TransportSettings): Transport {
  return {
    answerBytesMax: settings.answerBytesMax,
    send: async (operation, options, read) => {
      const key = operation.idempotencyKey ?? (mayTakeKey(operation, settings.retry) ? randomText() : undefined);
      // Once for all attempts: a caller may change what it gave, and under one key the registry takes one body.
      const body = operation.json === undefined ? operation.raw : JSON.stringify(operation.json);
      const isRepeatable = operation.repeat === 'always' || (operation.repeat === 'with_key' && key !== undefined);
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await sendOnce(settings, { ...operation, idempotencyKey: key }, body, options, read, attempt);
        } catch (failure) {
          const waitMs =
            isRepeatable && failure instanceof ClientError
              ? waitBeforeRetry(failure, attempt - 1, settings.retry, Math.random())
              : null;
          if (waitMs === null) throw failure;
          await pause(waitMs, options.signal);
        }
      }
    },
  };
}

/** A key that the client makes is of use only for its own retries. */
const mayTakeKey = ({ repeat }: Operation, { retriesMax }: RetryPolicy): boolean =>
  repeat === 'with_key' && retriesMax > 0;

const sendOnce = async <Result>(
  settings: TransportSettings,
  operation: Operation,
  body: RawBody | undefined,
  options: RequestOptions,
  read: ReadAnswer<Result>,
  attempt: number,
): Promise<Result> => {
  const { method, path, query } = operation;
  const name = `${method} ${operation.name ?? path}`;
  const kinds = chooseCredentials(operation.credentials, settings.credentials, options.as, operation.actor);
  const headers = requestHeaders(settings, operation, options, kinds);
  const url = `${settings.base.origin}${settings.base.prefix}${path}${queryText(query)}`;
  const timeoutMs = milliseconds('timeoutMs', options.timeoutMs ?? operation.timeoutMs ?? settings.timeoutMs);
  options.signal?.throwIfAborted();

  const deadline = startDeadline(timeoutMs, options.signal);
  try {
    const { signer } = settings.credentials;
    if (kinds.includes('signature') && signer !== undefined) {
      // A registry lives at the root of its host: whoever serves it below a path takes that path away.
      const asked = { method, url, path, body: signable(body) };
      Object.assign(headers, await unlessEnded(signRequest(asked, signer), deadline));
    }
    const startedAt = Date.now();
    const response = await unlessEnded(
      settings
        .fetch(url, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          ...(isStream(body) ? { duplex: 'half' } : {}),
          redirect: 'manual',
          credentials: 'omit',
          cache: 'no-store',
          referrerPolicy: 'no-referrer',
          signal: deadline.signal,
        } as RequestInit)
        .catch((cause: unknown) => {
          throw new NetworkError(name, 'the registry cannot be reached, or the connection broke', { cause });
        }),
      deadline,
    );
    const info: AnswerInfo = {
      operation: name,
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      headers: response.headers,
      attempt,
      durationMs: Date.now() - startedAt,
    };
    settings.onAnswer?.(info);
    await unlessEnded(ensureAnswer(name, operation, response, settings.answerBytesMax), deadline);
    return await unlessEnded(read(response, deadline, info), deadline);
  } catch (failure) {
    deadline.end();
    throw told(failure, name, timeoutMs, deadline, options.signal);
  }
};

const requestHeaders = (
  { credentials }: TransportSettings,
  { json, headers, idempotencyKey }: Operation,
  { requestId }: RequestOptions,
  kinds: readonly CredentialKind[],
): Record<string, string> => ({
  accept: 'application/json',
  ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  ...credentialHeaders(kinds, credentials),
  ...headers,
  ...(idempotencyKey === undefined ? {} : { 'idempotency-key': headerText('idempotencyKey', idempotencyKey, 128) }),
  ...(requestId === undefined ? {} : { 'x-request-id': headerText('requestId', requestId, 128) }),
});

/** @throws TypeError for a body whose bytes are not known before it is sent. */
const signable = (body: RawBody | undefined): string | Uint8Array => {
  if (body === undefined || typeof body === 'string') return body ?? '';
  if (body instanceof Uint8Array) return body;
  throw new TypeError('only a text or bytes can be signed');
};

const isStream = (body: unknown): boolean => typeof ReadableStream !== 'undefined' && body instanceof ReadableStream;

/** @throws ClientError for everything but an answer to what was asked. */
const ensureAnswer = async (
  name: string,
  { isAnswer = ({ ok }) => ok }: Operation,
  response: Response,
  bytesMax: number,
): Promise<void> => {
  if (isAnswer(response)) return;
  const { status, type } = response;
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    response.body?.cancel().catch(() => {});
    throw new UnexpectedAnswerError(name, 'answered with a redirect, which is not followed', { status });
  }
  throw refusalOf(name, response, await readText(response, bytesMax).catch(unreadable(name, response)));
};

/** What went wrong, in this client's words. */
const told = (
  failure: unknown,
  name: string,
  timeoutMs: number,
  deadline: Deadline,
  caller: AbortSignal | undefined,
): unknown => {
  if (caller?.aborted === true) return caller.reason;
  if (deadline.hasPassed()) return new TimeoutError(name, timeoutMs);
  return failure;
};

/** The outcome, unless the deadline ends first: not every signer or fetch looks at a signal. */
const unlessEnded = <Result>(outcome: Promise<Result>, { signal }: Deadline): Promise<Result> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
