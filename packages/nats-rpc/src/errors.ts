import type { JsonValue } from './json.ts';

/** Base class: every failure of a remote call is one of the subclasses. */
export abstract class RpcError extends Error {
  abstract readonly code: string;
}

export type UnavailableReason =
  /** No instance of the service is connected. Nothing was done. */
  | 'no_responders'
  /** This side has no connection to NATS and did not get one within the wait. Nothing was done. */
  | 'disconnected'
  /** The connection broke while the call waited for its answer. The outcome is unknown. */
  | 'connection_lost'
  /** The other side of a stream is lost. The outcome is unknown. */
  | 'peer_lost'
  /** The instance has reached its limit of running handlers. Nothing was done. */
  | 'overloaded'
  /** This side has too many calls under way. Nothing was done. */
  | 'too_many_calls'
  /** This side was closed. */
  | 'closed';

/** The service cannot be reached now; a later attempt may succeed. */
export class RpcUnavailableError extends RpcError {
  override readonly name = 'RpcUnavailableError';
  readonly code = 'rpc_unavailable';
  readonly reason: UnavailableReason;
  /** Whether the other side may have carried out the call anyway. */
  readonly outcomeUnknown: boolean;

  constructor(reason: UnavailableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.outcomeUnknown = reason === 'connection_lost' || reason === 'peer_lost' || reason === 'closed';
  }
}

/** No answer in time. The outcome is unknown. `phase` says which wait timed out. */
export class RpcTimeoutError extends RpcError {
  override readonly name = 'RpcTimeoutError';
  readonly code = 'rpc_timeout';
  readonly phase: 'answer' | 'head' | 'idle';
  readonly timeoutMs: number;

  constructor(phase: 'answer' | 'head' | 'idle', timeoutMs: number, message: string) {
    super(message);
    this.phase = phase;
    this.timeoutMs = timeoutMs;
  }
}

/** The other side refused the call; `code` is its stable code for the refusal. */
export class RpcRefusedError extends RpcError {
  override readonly name = 'RpcRefusedError';
  readonly code: string;
  readonly detail: string;
  readonly data: JsonValue | undefined;
  readonly status: number | undefined;

  constructor(refusal: RefusalFields) {
    super(`${refusal.code}: ${refusal.detail}`);
    this.code = refusal.code;
    this.detail = refusal.detail;
    this.data = refusal.data;
    this.status = refusal.status;
  }
}

/** The other side failed unexpectedly; its log has the cause under the correlation id. */
export class RpcInternalError extends RpcError {
  override readonly name = 'RpcInternalError';
  readonly code = 'rpc_internal';
}

/** The two sides disagree on the contract: data does not match a schema, or frames are lost, duplicated or out of order. */
export class RpcProtocolError extends RpcError {
  override readonly name = 'RpcProtocolError';
  readonly code = 'rpc_protocol';
}

/** A message is larger than the NATS server accepts. */
export class RpcPayloadTooLargeError extends RpcError {
  override readonly name = 'RpcPayloadTooLargeError';
  readonly code = 'payload_too_large';
  readonly bytes: number;
  readonly bytesMax: number;

  constructor(what: string, bytes: number, bytesMax: number) {
    super(`${what} has ${bytes} bytes; a NATS message may have ${bytesMax}`);
    this.bytes = bytes;
    this.bytesMax = bytesMax;
  }
}

/** NATS permissions do not allow this service to do that. A fault of configuration: a retry does not help. */
export class RpcForbiddenError extends RpcError {
  override readonly name = 'RpcForbiddenError';
  readonly code = 'rpc_forbidden';
}

/** The stream was cancelled, by `cancel()`, an AbortSignal, or by leaving the loop over its body. */
export class RpcCancelledError extends RpcError {
  override readonly name = 'RpcCancelledError';
  readonly code = 'rpc_cancelled';
}

export type RefusalFields = { code: string; detail: string; data?: JsonValue | undefined; status?: number | undefined };

/** Thrown by a handler to refuse a call: the caller gets an `RpcRefusedError` with the same fields. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: string;
  readonly detail: string;
  readonly data: JsonValue | undefined;
  readonly status: number | undefined;

  constructor(code: string, detail: string, options: { data?: JsonValue; status?: number } = {}) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.data = options.data;
    this.status = options.status;
  }
}

/** Distinguishes expected refusals of another package, such as a DomainError, from failures; null or undefined means a failure. */
export type ToRefusal = (error: unknown) => RefusalFields | null | undefined;
