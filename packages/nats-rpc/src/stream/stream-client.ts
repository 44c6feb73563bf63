import { type CallOrigin, callHeaders } from '../call-headers.ts';
import type { Link } from '../connection.ts';
import { RpcCancelledError, RpcError, RpcUnavailableError } from '../errors.ts';
import { encodeJson } from '../json.ts';
import type { RpcLimits } from '../limits.ts';
import type { Sent, StreamMethod } from '../method.ts';
import type { ReplyRouter } from '../reply-router.ts';
import { startMeasure } from '../rpc-metrics.ts';
import { endSpan, startClientSpan } from '../tracing.ts';
import { endOfTurn } from '../turn.ts';
import { ClientStream, type OpenedStream } from './client-stream.ts';
import { type RequestBody, takeInline } from './request-body.ts';

export type OpenStreamOptions = CallOrigin & {
  /** The request body. It is read only as fast as the other side accepts it. */
  body?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Cancels the stream, at any time; the other side is notified. */
  signal?: AbortSignal | undefined;
  /** From now to the head. */
  headTimeoutMs?: number;
  /** Longest time without data while the answer is read, and without credit while the body is sent. */
  idleTimeoutMs?: number;
};

/** Opens streams over one connection. */
export class StreamClient {
  readonly #link: Link;
  readonly #router: ReplyRouter;
  readonly #limits: RpcLimits;
  #openCount = 0;

  constructor(link: Link, router: ReplyRouter, limits: RpcLimits) {
    this.#link = link;
    this.#router = router;
    this.#limits = limits;
  }

  get openCount(): number {
    return this.#openCount;
  }

  async open<Method extends StreamMethod>(
    method: Method,
    input: Sent<Method['input']>,
    options: OpenStreamOptions = {},
  ): Promise<OpenedStream<Method>> {
    const what = `${method.service}/${method.method}`;
    const headTimeoutMs = options.headTimeoutMs ?? this.#limits.headTimeoutMs;
    // Not part of the timeout: a turn that others make long would leave no time for the answer.
    await endOfTurn();
    const startedAt = performance.now();
    const measured = startMeasure('client', method);
    const { span, carrier } = startClientSpan(method.service, method.method, options.traceparent);
    let body: RequestBody | undefined;
    try {
      if (options.signal?.aborted)
        throw new RpcCancelledError(`${what} was cancelled`, { cause: options.signal.reason });
      if (this.#openCount >= this.#limits.openStreamsMax) {
        throw new RpcUnavailableError('too_many_calls', `${this.#limits.openStreamsMax} streams are open already`);
      }
      const inputBytes = encodeJson(input);
      body = await takeInline(options.body, this.#limits);
      if (!this.#link.isConnected()) {
        await this.#link.whenConnected(Math.min(headTimeoutMs, this.#limits.reconnectWaitMs));
      }
      const remainingMs = Math.max(1, headTimeoutMs - (performance.now() - startedAt));
      const stream = new ClientStream(method, {
        what,
        link: this.#link,
        router: this.#router,
        limits: this.#limits,
        body,
        span,
        signal: options.signal,
        idleTimeoutMs: options.idleTimeoutMs ?? this.#limits.idleTimeoutMs,
        onClosed: () => {
          this.#openCount -= 1;
        },
      });
      this.#openCount += 1;
      const headers = callHeaders(options, remainingMs, carrier);
      const opened = await stream.open(inputBytes, headers, remainingMs, headTimeoutMs);
      measured();
      return opened;
    } catch (error) {
      body?.abandon();
      const code = error instanceof RpcError ? error.code : 'error';
      endSpan(span, code);
      measured(code);
      throw error;
    }
  }
}
