import type { ErrorCode, ValidationItem } from './types.ts';

/** What everything that this client throws has in common, but for an aborted signal's own reason and programmers' mistakes. */
export abstract class ClientError extends Error {
  /** What was asked, e.g. `POST /call`: never a query, a header or a body, where secrets may be. */
  readonly operation: string;

  constructor(operation: string, message: string, options?: { cause?: unknown }) {
    super(`${operation}: ${message}`, options);
    this.operation = operation;
  }
}

/** The registry answered with a refusal. */
export class RegistryError extends ClientError {
  override readonly name = 'RegistryError';
  /** HTTP status. */
  readonly status: number;
  /** Which refusal, in one stable word. A later version of the registry may have further ones. */
  readonly code: ErrorCode | (string & {});
  /** In words, for people. */
  readonly detail: string;
  /** Where the faults of a 422 lie; empty otherwise. */
  readonly items: readonly ValidationItem[];
  /** What the registry's operators can find the request by. */
  readonly requestId: string | null;
  /** How long to wait before another attempt, where the registry says so. */
  readonly retryAfterSeconds: number | null;
  // Private, because it may hold keys and links: whoever prints the error does not print those.
  readonly #body: Readonly<Record<string, unknown>>;

  constructor(
    operation: string,
    refusal: {
      status: number;
      code: string;
      detail: string;
      items?: readonly ValidationItem[];
      requestId?: string | null;
      retryAfterSeconds?: number | null;
      body?: Readonly<Record<string, unknown>>;
    },
  ) {
    super(operation, `${refusal.status} ${refusal.code}: ${refusal.detail}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.detail = refusal.detail;
    this.items = refusal.items ?? [];
    this.requestId = refusal.requestId ?? null;
    this.retryAfterSeconds = refusal.retryAfterSeconds ?? null;
    this.#body = refusal.body ?? {};
  }

  /** The whole body: some refusals say more, e.g. `transaction_id` of a call that failed. It is not printed with the error. */
  get body(): Readonly<Record<string, unknown>> {
    return this.#body;
  }
}

/** No answer came: the registry cannot be reached, or the connection broke. Whether the request was carried out is not known. */
export class NetworkError extends ClientError {
  override readonly name = 'NetworkError';
}

/** No whole answer came in time. Whether the request was carried out is not known. */
export class TimeoutError extends ClientError {
  override readonly name = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(operation: string, timeoutMs: number, what = 'no whole answer') {
    super(operation, `${what} within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** What answered does not speak as the registry does: another server, a proxy's page, a redirect, too long an answer. */
export class UnexpectedAnswerError extends ClientError {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  readonly requestId: string | null;

  constructor(
    operation: string,
    message: string,
    about: { status: number; requestId?: string | null; cause?: unknown },
  ) {
    super(operation, message, about.cause === undefined ? undefined : { cause: about.cause });
    this.status = about.status;
    this.requestId = about.requestId ?? null;
  }
}

/** A stream that broke off. What came before stands; the exchange is on record and may be reviewed. */
export class BrokenStreamError extends ClientError {
  override readonly name = 'BrokenStreamError';
  readonly transactionId: string | null;

  constructor(operation: string, message: string, about: { transactionId: string | null; cause?: unknown }) {
    super(operation, message, about.cause === undefined ? undefined : { cause: about.cause });
    this.transactionId = about.transactionId;
  }
}
