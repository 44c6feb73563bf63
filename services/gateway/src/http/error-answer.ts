import {
  DomainError,
  type ErrorCode,
  type ValidationItem,
  faultAt,
  httpStatusOf,
  isErrorCode,
  validationItem,
} from '@agent-trust/contracts';
import { TooManyWaitingError } from '@agent-trust/limits';
import {
  RpcCancelledError,
  RpcPayloadTooLargeError,
  RpcRefusedError,
  RpcTimeoutError,
  RpcUnavailableError,
} from '@agent-trust/nats-rpc';
import { z } from 'zod';
import { edgeLimits } from '../limits.ts';

/** A refusal with further fields of the body and headers. */
export class HttpRefusal extends DomainError {
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(refusal: DomainError, more: { fields?: Record<string, unknown>; headers?: Record<string, string> }) {
    super(refusal.code, refusal.message, {
      ...(refusal.items === undefined ? {} : { items: refusal.items }),
      limitedBy: refusal.limitedBy,
      cause: refusal.cause,
    });
    this.name = 'HttpRefusal';
    this.fields = more.fields ?? {};
    this.headers = more.headers ?? {};
  }
}

type ErrorAnswer = {
  status: number;
  headers: Record<string, string>;
  body: { detail: string | ValidationItem[]; code: ErrorCode; request_id: string; [field: string]: unknown };
};

/** The answer to an error. An unexpected error reveals only its request id. */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer {
  const refusal =
    toRefusal(error) ?? new DomainError('internal', 'an unexpected error; look for the request_id in the log');
  const status = httpStatusOf(refusal.code);
  const { fields, headers } = refusal instanceof HttpRefusal ? refusal : { fields: {}, headers: {} };
  return {
    status,
    headers: status === 503 ? { 'retry-after': String(edgeLimits.retryAfterSeconds), ...headers } : headers,
    body: {
      detail: status === 422 ? itemsOf(refusal) : refusal.message,
      code: refusal.code,
      request_id: requestId,
      ...fields,
    },
  };
}

/** Whose own limit refused a request; undefined if it was nobody's. */
export function limitedBy(error: unknown): 'caller' | undefined {
  return toRefusal(error)?.limitedBy;
}

export function statusOf(error: unknown): number {
  return httpStatusOf(toRefusal(error)?.code ?? 'internal');
}

/** The refusal that an error means to a client; null for an unexpected error. */
export function toRefusal(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  if (error instanceof RpcRefusedError) return fromService(error);
  if (error instanceof TooManyWaitingError) return new DomainError('overloaded', allBusy, { cause: error });
  if (error instanceof RpcUnavailableError) {
    if (error.reason === 'overloaded' || error.reason === 'too_many_calls') {
      return new DomainError('overloaded', allBusy, { cause: error });
    }
    return new DomainError('unavailable', error.outcomeUnknown ? outcomeUnknown : nothingDone, { cause: error });
  }
  if (error instanceof RpcTimeoutError) return new DomainError('unavailable', outcomeUnknown, { cause: error });
  if (error instanceof RpcCancelledError)
    return new DomainError('unavailable', 'the request was cancelled', { cause: error });
  if (error instanceof RpcPayloadTooLargeError) {
    return new DomainError(
      'payload_too_large',
      'the request or the answer to it is too large to carry: send less, or ask for less with a smaller limit',
      {
        cause: error,
      },
    );
  }
  return fromFramework(error);
}

const allBusy =
  'as many requests of this kind as the service takes are running; nothing was done, try again in a moment';
const nothingDone = 'a part of the service cannot be reached; nothing was done, try again';
const outcomeUnknown =
  'a part of the service did not answer; if the request was to change something, it may or may not have done so';

const itemsOf = (refusal: DomainError): ValidationItem[] =>
  refusal.items ?? [{ loc: ['body'], msg: refusal.message, type: refusal.code }];

const refusalData = z.object({
  items: z.array(validationItem).optional(),
  limitedBy: z.literal('caller').optional(),
});

/** A service's refusal keeps its code and text, if clients know the code. */
const fromService = (error: RpcRefusedError): DomainError | null => {
  if (!isErrorCode(error.code)) return null;
  const data = refusalData.safeParse(error.data);
  return new DomainError(error.code, error.detail, {
    ...(data.data?.items === undefined ? {} : { items: data.data.items }),
    // Only a limit may be the caller's own doing: a service cannot excuse its faults by it.
    limitedBy: error.code === 'overloaded' ? data.data?.limitedBy : undefined,
    cause: error,
  });
};

const fromFramework = (error: unknown): DomainError | null => {
  if (!(error instanceof Error)) return null;
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError('payload_too_large', 'the body is larger than this endpoint takes');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError('unsupported_media_type', 'the body must be application/json');
    case 'FST_ERR_BAD_URL':
      return faultAt('validation_failed', ['path'], 'must be percent-encoded UTF-8');
    default:
      return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
        ? new DomainError('malformed_request', 'the request is not valid HTTP or was not sent to its end')
        : null;
  }
};
