import type { Msg } from '@nats-io/nats-core';
import { fromErrorAnswer } from './answer-error.ts';
import { type CallOrigin, callHeaders } from './call-headers.ts';
import type { Link } from './connection.ts';
import {
  RpcCancelledError,
  RpcError,
  RpcPayloadTooLargeError,
  RpcProtocolError,
  RpcTimeoutError,
  RpcUnavailableError,
} from './errors.ts';
import { decodeJson, encodeJson } from './json.ts';
import type { RpcLimits } from './limits.ts';
import type { Received, Sent, UnaryMethod } from './method.ts';
import type { ReplyRouter } from './reply-router.ts';
import { startMeasure } from './rpc-metrics.ts';
import { requestSubject } from './subjects.ts';
import { endSpan, startClientSpan } from './tracing.ts';
import { endOfTurn } from './turn.ts';

export type RequestOptions = CallOrigin & {
  /** From now to the answer; the other side gets the deadline and stops working then. */
  timeoutMs?: number;
  /** Stops waiting. The other side continues until the deadline: a command that was sent may be carried out. */
  signal?: AbortSignal | undefined;
};

/** Header that marks a failure; the payload is an `ErrorAnswer`. A successful answer has no headers, which is cheaper. */
export const errorHeader = 'rpc-error';

/** Sends unary requests over one connection. */
export class UnaryClient {
  readonly #link: Link;
  readonly #router: ReplyRouter;
  readonly #limits: RpcLimits;

  constructor(link: Link, router: ReplyRouter, limits: RpcLimits) {
    this.#link = link;
    this.#router = router;
    this.#limits = limits;
  }

  async request<Method extends UnaryMethod>(
    method: Method,
    input: Sent<Method['input']>,
    options: RequestOptions = {},
  ): Promise<Received<Method['output']>> {
    const what = `${method.service}/${method.method}`;
    const timeoutMs = options.timeoutMs ?? this.#limits.requestTimeoutMs;
    // Not part of the timeout: a turn that others make long would leave no time for the answer.
    await endOfTurn();
    const startedAt = performance.now();
    const measured = startMeasure('client', method);
    const { span, carrier } = startClientSpan(method.service, method.method, options.traceparent);
    try {
      if (!this.#link.isConnected()) {
        await this.#link.whenConnected(Math.min(timeoutMs, this.#limits.reconnectWaitMs));
      }
      const remainingMs = timeoutMs - (performance.now() - startedAt);
      const answer = await this.#exchange(method, what, encodeJson(input), remainingMs, timeoutMs, carrier, options);
      const output = readAnswer(method, what, answer);
      endSpan(span);
      measured();
      return output;
    } catch (error) {
      const code = error instanceof RpcError ? error.code : 'error';
      endSpan(span, code);
      measured(code);
      throw error;
    }
  }

  #exchange(
    method: UnaryMethod,
    what: string,
    payload: Uint8Array,
    remainingMs: number,
    timeoutMs: number,
    carrier: Record<string, string>,
    options: RequestOptions,
  ): Promise<Msg> {
    const { signal } = options;
    return new Promise<Msg>((resolve, reject) => {
      if (signal?.aborted) return reject(new RpcCancelledError(`${what} was cancelled`, { cause: signal.reason }));
      const requestHeaders = callHeaders(options, Math.max(1, remainingMs), carrier);
      const bytesMax = this.#link.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
      const bytes = payload.length + headerBytesMax;
      if (bytes > bytesMax) return reject(new RpcPayloadTooLargeError(`the request of ${what}`, bytes, bytesMax));

      const subject = requestSubject(method.service, method.method);
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#router.delete(replyTo);
      };
      const fail = (error: RpcError): void => {
        settle();
        reject(error);
      };
      const onAbort = (): void => fail(new RpcCancelledError(`${what} was cancelled`, { cause: signal?.reason }));
      const replyTo = this.#router.add(method.service, {
        subject,
        what,
        onMessage: (message) => {
          settle();
          resolve(message);
        },
        onFailure: fail,
      });
      const timer = setTimeout(
        () => fail(new RpcTimeoutError('answer', timeoutMs, `${what} did not answer within ${timeoutMs} ms`)),
        Math.max(1, remainingMs),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        this.#link.connection.publish(subject, payload, { reply: replyTo, headers: requestHeaders });
      } catch (error) {
        fail(new RpcUnavailableError('closed', `${what} could not be sent`, { cause: error }));
      }
    });
  }
}

/** Reserved for the headers of a call: the fields are bounded, so no valid call exceeds this. */
const headerBytesMax = 4_096;

const readAnswer = <Method extends UnaryMethod>(
  method: Method,
  what: string,
  answer: Msg,
): Received<Method['output']> => {
  const received = answer.headers;
  if (received?.code === 503)
    throw new RpcUnavailableError('no_responders', `no instance of ${method.service} answers ${what}`);
  let value: unknown;
  try {
    value = decodeJson(answer.data);
  } catch (error) {
    throw new RpcProtocolError(`the answer of ${what} is not JSON`, { cause: error });
  }
  if (received?.has(errorHeader)) throw fromErrorAnswer(value, what);
  const parsed = method.output.safeParse(value);
  if (!parsed.success) throw new RpcProtocolError(`the answer of ${what} breaks its schema`, { cause: parsed.error });
  return parsed.data as Received<Method['output']>;
};
