import type { ErrorCode, ValidationItem } from './types.ts';

/** Base class of everything that this client throws, except the reason of an aborted signal and programmers' mistakes. */
export abstract class ClientError extends Error {
  /** The operation, for example `POST /call`: never a query, a header or a body, which may contain secrets. */
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
  /** The stable code of the refusal. Later versions of the registry may add codes. */
  readonly code: ErrorCode | (string & {});
  /** For people. */
  readonly detail: string;
  /** The faults of a 422; empty otherwise. */
  readonly items: readonly ValidationItem[];
  /** The id by which the registry's operators can find the request. */
  readonly requestId: string | null;
  /** How long to wait before another attempt, if the registry says so. */
  readonly retryAfterSeconds: number | null;
  // Private, because it may contain keys and links: printing the error must not print them.
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

  /** The whole body: some refusals have more fields, for example `transaction_id` of a call that failed. It is not printed with the error. */
  get body(): Readonly<Record<string, unknown>> {
    return this.#body;
  }
}

/** No answer: the registry cannot be reached, or the connection broke. It is not known whether the request was carried out. */
export class NetworkError extends ClientError {
  override readonly name = 'NetworkError';
}

/** No complete answer in time. It is not known whether the request was carried out. */
export class TimeoutError extends ClientError {
  override readonly name = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(operation: string, timeoutMs: number, what = 'no whole answer') {
    super(operation, `${what} within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** The answer is not one of the registry: another server, a proxy's page, a redirect, or too long. */
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

/** A stream that broke off. What came before is valid; the exchange is recorded and may be reviewed. */
export class BrokenStreamError extends ClientError {
  override readonly name = 'BrokenStreamError';
  readonly transactionId: string | null;

  constructor(operation: string, message: string, about: { transactionId: string | null; cause?: unknown }) {
    super(operation, message, about.cause === undefined ? undefined : { cause: about.cause });
    this.transactionId = about.transactionId;
  }
}
