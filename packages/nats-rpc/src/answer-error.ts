import {
  type RefusalFields,
  RpcCancelledError,
  type RpcError,
  RpcInternalError,
  RpcPayloadTooLargeError,
  RpcProtocolError,
  RpcRefusal,
  RpcRefusedError,
  RpcTimeoutError,
  RpcUnavailableError,
  type ToRefusal,
} from './errors.ts';
import { type JsonValue } from './json.ts';

/** How a failure travels, in an error answer or an error frame. Only `refused` carries text of the handler. */
export type ErrorAnswer =
  | ({ kind: 'refused' } & RefusalFields)
  | { kind: 'internal' }
  | { kind: 'overloaded' }
  | { kind: 'invalid_input'; detail: string }
  | { kind: 'protocol'; detail: string }
  | { kind: 'payload_too_large'; bytes: number; bytesMax: number }
  | { kind: 'timeout'; phase: 'answer' | 'head' | 'idle'; timeoutMs: number }
  | { kind: 'cancelled' };

/** Maps any error that a handler threw. Everything except a marked refusal becomes `internal`, without detail. */
export function toErrorAnswer(error: unknown, toRefusal: ToRefusal | undefined): ErrorAnswer {
  if (error instanceof RpcRefusal) return refused(error);
  const mapped = toRefusal?.(error);
  if (mapped) return refused(mapped);
  // A service that calls another on behalf of its caller passes the refusal of the other on.
  if (error instanceof RpcRefusedError) return refused(error);
  if (error instanceof RpcPayloadTooLargeError) {
    return { kind: 'payload_too_large', bytes: error.bytes, bytesMax: error.bytesMax };
  }
  return { kind: 'internal' };
}

const refused = ({ code, detail, data, status }: RefusalFields): ErrorAnswer => ({
  kind: 'refused',
  code,
  detail,
  ...(data !== undefined && { data }),
  ...(status !== undefined && { status }),
});

/** The error for the caller of a call that got an error answer; `what` names the call. */
export function fromErrorAnswer(received: unknown, what: string): RpcError {
  const answer = received as ErrorAnswer | null | undefined;
  switch (answer?.kind) {
    case 'refused':
      return new RpcRefusedError({
        code: String(answer.code),
        detail: String(answer.detail),
        data: answer.data as JsonValue | undefined,
        status: typeof answer.status === 'number' ? answer.status : undefined,
      });
    case 'internal':
      return new RpcInternalError(`${what} failed; its log has the cause`);
    case 'overloaded':
      return new RpcUnavailableError('overloaded', `${what} has reached its limit of concurrent calls`);
    case 'invalid_input':
      return new RpcProtocolError(`${what} does not accept the input: ${answer.detail}`);
    case 'protocol':
      return new RpcProtocolError(`${what}: ${answer.detail}`);
    case 'payload_too_large':
      return new RpcPayloadTooLargeError(`the answer of ${what}`, answer.bytes, answer.bytesMax);
    case 'timeout':
      return new RpcTimeoutError(answer.phase, answer.timeoutMs, `${what} gave up after ${answer.timeoutMs} ms`);
    case 'cancelled':
      return new RpcCancelledError(`${what} was cancelled`);
    default:
      answer satisfies null | undefined;
      return new RpcProtocolError(`${what} answered an error that cannot be read`);
  }
}
