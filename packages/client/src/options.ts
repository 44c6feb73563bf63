import type { Signer } from './signature/signer.ts';

/** Credentials of a client. Any number of them may be set; `as` selects which ones an operation sends. */
export type Credentials = {
  /** An agent's bearer key, `registry-agent-sk-…`. */
  agentKey?: string | undefined;
  /** An agent's Ed25519 key, or a function that signs with it: requests are signed instead of carrying a bearer key. */
  signer?: Signer | undefined;
  /** An organisation's key: the production key or the sandbox key, which selects the universe. */
  orgKey?: string | undefined;
  /** An operator's key, a token of the registry's OpenID Connect issuer, or in emergencies `ADMIN_TOKEN`. */
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
  /** Address of the registry, e.g. `http://127.0.0.1:8080`. It may have a path, if a proxy serves the registry below one. */
  baseUrl: string;
  /** Replaces the runtime's fetch. */
  fetch?: typeof fetch;
  /** Milliseconds for each attempt; default 30,000. Calls and payments have `callTimeoutMs`, default 120,000. */
  timeoutMs?: number;
  callTimeoutMs?: number;
  /** Milliseconds for which a stream may be silent; default 16 minutes, longer than any stream of the registry. */
  streamIdleTimeoutMs?: number;
  /** Bytes of a complete answer; default 64 MiB. */
  answerBytesMax?: number;
  /** `false` sends every request once. */
  retry?: RetryOptions | false;
  /** Called with every answer, refusals included: for logs and metrics. It gets no secret. */
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
  /** Under one key a write is carried out once. Default: a new random key for each write, if retries are on. */
  idempotencyKey?: string | undefined;
};

/** Metadata of an answer. */
export type AnswerInfo = {
  /** For example `POST /call`. */
  operation: string;
  status: number;
  requestId: string | null;
  headers: Headers;
  /** 1 for the first attempt. */
  attempt: number;
  /** Milliseconds from sending the request to the answer's head. */
  durationMs: number;
};
