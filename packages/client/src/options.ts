import type { Signer } from './signature/signer.ts';

/** Who a client speaks for. Any number of them may be set; which one an operation sends is said by `as`. */
export type Credentials = {
  /** An agent's bearer key, `registry-agent-sk-…`. */
  agentKey?: string | undefined;
  /** An agent's Ed25519 key, or what signs with it: requests are signed instead of carrying a bearer key. */
  signer?: Signer | undefined;
  /** An organisation's key; the production or the sandbox one, which picks the universe. */
  orgKey?: string | undefined;
  /** The operator's bearer token (`ADMIN_TOKEN`). */
  adminToken?: string | undefined;
  /** The operator's key for `org.createKey` (`ADMIN_KEY`). */
  adminKey?: string | undefined;
};

export type RetryOptions = {
  /** Attempts after the first one, 0 to 10. */
  retriesMax?: number;
  /** Milliseconds before the first retry; each further one waits up to twice as long. */
  waitMs?: number;
  waitMsMax?: number;
  /** A longer Retry-After is not waited for. */
  retryAfterSecondsMax?: number;
};

export type ClientOptions = Credentials & {
  /** Address of the registry, e.g. `http://127.0.0.1:8080`. It may have a path, where a proxy serves the registry below one. */
  baseUrl: string;
  /** Stands in for the runtime's fetch. */
  fetch?: typeof fetch;
  /** Milliseconds for each attempt; default 30,000. Calls and payments have `callTimeoutMs`, default 120,000. */
  timeoutMs?: number;
  callTimeoutMs?: number;
  /** Milliseconds that a stream may be silent for; default 16 minutes, which is longer than any stream of the registry. */
  streamIdleTimeoutMs?: number;
  /** Bytes of a whole answer; default 64 MiB. */
  answerBytesMax?: number;
  /** `false` sends every request once. */
  retry?: RetryOptions | false;
  /** Told of every answer, refusals included: for logs and metrics. It is given no secret. */
  onAnswer?: (answer: AnswerInfo) => void;
};

/** One kind of credential; several in a list are sent together. */
export type CredentialKind = 'agent' | 'signature' | 'organisation' | 'admin' | 'admin_key';

export type RequestOptions = {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Which of the client's credentials to send. Default: the one that the operation's description names. */
  as?: CredentialKind | readonly CredentialKind[] | 'nobody' | undefined;
  /** Sent as X-Request-Id: 1 to 128 printable ASCII characters, by which the registry's logs name the request. */
  requestId?: string | undefined;
};

export type WriteOptions = RequestOptions & {
  /** Under one key a write is carried out once. Default: a new random key for each write, where retries are on. */
  idempotencyKey?: string | undefined;
};

/** What an answer says besides its body. */
export type AnswerInfo = {
  /** E.g. `POST /call`. */
  operation: string;
  status: number;
  requestId: string | null;
  headers: Headers;
  /** 1 for the first attempt. */
  attempt: number;
  /** Milliseconds from sending the request to the answer's head. */
  durationMs: number;
};
