import { randomUUID } from 'node:crypto';
import { context } from '@opentelemetry/api';
import type { Msg, NatsConnection } from '@nats-io/nats-core';
import { type ErrorAnswer, toErrorAnswer } from '../answer-error.ts';
import type { CallContext } from '../call-context.ts';
import { readCallHeaders } from '../call-headers.ts';
import {
  RpcCancelledError,
  type RpcError,
  RpcPayloadTooLargeError,
  RpcProtocolError,
  RpcTimeoutError,
  RpcUnavailableError,
  type ToRefusal,
} from '../errors.ts';
import { encodeJson, parseWith } from '../json.ts';
import type { RpcLimits, RpcLogger } from '../limits.ts';
import type { Received, SentTrailer, StreamMethod } from '../method.ts';
import { startMeasure } from '../rpc-metrics.ts';
import { RunningHandlers } from '../running-handlers.ts';
import { controlSubject, requesterOf } from '../subjects.ts';
import { endSpan, startServerSpan } from '../tracing.ts';
import { decodeFrame, decodeOpen, encodeAccept, encodeFrame, type OpenPayload } from './frames.ts';
import { type StreamAnswer, StreamAnswerWriter } from './stream-answer.ts';
import { StreamEnd } from './stream-end.ts';

/**
 * Serves one stream: reads as much of `body` as it needs, writes a head and bytes to `answer`, and returns the trailer. `context.signal` aborts when
 * the caller cancels or is lost; errors it throws reach the caller as for a unary call.
 */
export type StreamHandler<Method extends StreamMethod> = (
  context: CallContext,
  input: Received<Method['input']>,
  body: AsyncIterable<Uint8Array>,
  answer: StreamAnswer<Method>,
) => Promise<SentTrailer<Method>>;

export type ServeStreamOptions = {
  /** Concurrent streams of this method; more are answered `overloaded`. */
  concurrentMax?: number;
  /** Longest time without data while the request body is read, and without credit while the answer is written. */
  idleTimeoutMs?: number;
  toRefusal?: ToRefusal;
};

type StreamServerParts = {
  connection: NatsConnection;
  instanceId: string;
  isConnected: () => boolean;
  logger: RpcLogger;
  limits: RpcLimits;
  concurrentMax: number;
  idleTimeoutMs: number;
  toRefusal: ToRefusal | undefined;
  /** Streams of this instance by their control subject; `handle` adds, the end of a stream removes. */
  streams: Map<string, StreamEnd>;
};

/** Runs one streaming method's handler for each opening. `handle` never throws and never rejects. */
export class StreamServer<Method extends StreamMethod> {
  readonly #method: Method;
  readonly #handler: StreamHandler<Method>;
  readonly #parts: StreamServerParts;
  readonly running: RunningHandlers<StreamEnd> = new RunningHandlers();

  constructor(method: Method, handler: StreamHandler<Method>, parts: StreamServerParts) {
    this.#method = method;
    this.#handler = handler;
    this.#parts = parts;
  }

  handle(message: Msg): void {
    const { logger, concurrentMax } = this.#parts;
    const replyTo = message.reply ?? '';
    const requester = requesterOf(replyTo, this.#method.service);
    if (requester === null) {
      logger.warn({ subject: message.subject, reply: replyTo }, 'opening without a proper reply subject ignored');
      return;
    }
    const frame = decodeFrame(message.data);
    const opening = frame?.kind === 'open' && frame.sequence === 0 ? decodeOpen(frame.payload) : null;
    if (opening === null) return this.#refuse(replyTo, { kind: 'protocol', detail: 'not the opening of a stream' });
    if (this.running.count >= concurrentMax) {
      startMeasure('server', this.#method)('overloaded');
      return this.#refuse(replyTo, { kind: 'overloaded' });
    }
    // serve() handles its own failures.
    void this.#serve(message, replyTo, requester, opening);
  }

  async #serve(message: Msg, replyTo: string, requester: string, opening: OpenPayload): Promise<void> {
    const { service, method } = this.#method;
    const { logger, limits, toRefusal } = this.#parts;
    const what = `${service}/${method}`;
    const received = readCallHeaders(message.headers);
    const measured = startMeasure('server', this.#method);
    const { span, active, traceparent } = startServerSpan(service, method, received);
    const headTimeoutMs = received.timeoutMs ?? limits.headTimeoutMs;
    const headDueAt = performance.now() + headTimeoutMs;
    const { end, aborter, accept } = this.#startStream(what, replyTo, opening);
    const acceptTimer = setTimeout(accept, limits.acceptDelayMs);
    const answer = new StreamAnswerWriter<Method>(end, accept, limits.inlineBytesMax);
    const headTimer = setTimeout(() => {
      if (!answer.hasHead)
        end.fail(new RpcTimeoutError('head', headTimeoutMs, `${what} gave no head within ${headTimeoutMs} ms`));
    }, headTimeoutMs);
    this.running.add(end);
    let errorCode: string | undefined;
    try {
      const input = parseWith(this.#method.input, opening.input);
      if (!input.success) {
        logger.warn(
          { service, method, requester, request_id: received.correlationId, detail: input.detail },
          'input refused',
        );
        errorCode = 'invalid_input';
        end.send('error', encodeJson({ kind: 'invalid_input', detail: input.detail } satisfies ErrorAnswer));
        return;
      }
      const call: CallContext = {
        correlationId: received.correlationId,
        actor: received.actor,
        traceparent,
        requester,
        signal: aborter.signal,
        remainingMs: () => Math.max(0, headDueAt - performance.now()),
      };
      logger.debug({ service, method, requester, request_id: received.correlationId }, 'serving a stream');
      if (!opening.bodyComplete) accept();
      const trailer = await context.with(active, () =>
        this.#handler(call, input.data as Received<Method['input']>, end.queue, answer),
      );
      await answer.finish(trailer);
    } catch (error) {
      errorCode = this.#reportFailure(error, end, received.correlationId, requester, toRefusal);
    } finally {
      clearTimeout(acceptTimer);
      clearTimeout(headTimer);
      end.close();
      endSpan(span, errorCode);
      measured(errorCode);
      this.running.remove(end);
    }
  }

  #startStream(
    what: string,
    replyTo: string,
    opening: OpenPayload,
  ): { end: StreamEnd; aborter: AbortController; accept: () => void } {
    const { service } = this.#method;
    const { instanceId, limits, idleTimeoutMs, streams, logger } = this.#parts;
    // Unguessable, because every service that may open streams here may publish to control subjects of this instance.
    const control = controlSubject(service, instanceId, randomUUID());
    const aborter = new AbortController();
    const end = new StreamEnd({
      what,
      limits,
      idleTimeoutMs,
      nextOut: 0,
      nextIn: 1,
      publish: (frame, probe) => this.#publish(replyTo, frame, probe ? control : undefined),
      onFrame: (kind) => {
        if (kind !== 'end') throw new RpcProtocolError(`${what}: a frame '${kind}' that only servers send`);
        end.queue.end();
      },
      tellFailure: (error) => this.#tellFailure(end, error),
      onClosed: (error) => {
        streams.delete(control);
        if (error) {
          logger.info({ service, what, code: error.code, reason: error.message }, 'stream ended early');
          aborter.abort(error);
        }
      },
      // A handler may answer without having read the whole request; the caller stops sending when the answer ends.
      onReaderLeft: () => {},
    });
    end.gate.open(opening.windowBytes);
    end.queue.pushInline(opening.body);
    if (opening.bodyComplete) end.queue.end();
    streams.set(control, end);
    let accepted = false;
    const accept = (): void => {
      if (accepted) return;
      accepted = true;
      end.send('accept', ...encodeAccept({ windowBytes: limits.windowBytes, control }));
      end.startKeepAlive();
    };
    return { end, aborter, accept };
  }

  /** Reports the handler's failure to the caller, unless the stream is over already; returns the code for the span. */
  #reportFailure(
    error: unknown,
    end: StreamEnd,
    correlationId: string,
    requester: string,
    toRefusal: ToRefusal | undefined,
  ): string {
    if (end.isClosed) return 'stream_ended';
    const answer = toErrorAnswer(error, toRefusal);
    if (answer.kind === 'internal') {
      const { service, method } = this.#method;
      this.#parts.logger.error({ service, method, requester, request_id: correlationId, err: error }, 'stream failed');
    }
    end.send('error', encodeJson(answer));
    return answer.kind === 'refused' ? answer.code : answer.kind;
  }

  #tellFailure(end: StreamEnd, error: RpcError): void {
    const answer: ErrorAnswer =
      error instanceof RpcTimeoutError
        ? { kind: 'timeout', phase: error.phase, timeoutMs: error.timeoutMs }
        : error instanceof RpcProtocolError
          ? { kind: 'protocol', detail: error.message }
          : error instanceof RpcCancelledError
            ? { kind: 'cancelled' }
            : { kind: 'internal' };
    end.send('error', encodeJson(answer));
  }

  #refuse(replyTo: string, answer: ErrorAnswer): void {
    this.#publish(replyTo, encodeFrame('error', 0, [encodeJson(answer)]), undefined);
  }

  #publish(replyTo: string, frame: Uint8Array, probeReply: string | undefined): void {
    const { connection, isConnected } = this.#parts;
    if (!isConnected() || connection.isClosed()) return;
    const bytesMax = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (frame.length > bytesMax)
      throw new RpcPayloadTooLargeError(`a frame of ${this.#method.method}`, frame.length, bytesMax);
    connection.publish(replyTo, frame, probeReply === undefined ? undefined : { reply: probeReply });
  }

  abortAll(): void {
    for (const end of this.running) end.fail(new RpcUnavailableError('closed', 'this side closes'));
  }
}
