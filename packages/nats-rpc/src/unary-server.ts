import { context } from '@opentelemetry/api';
import { headers, type Msg, type NatsConnection } from '@nats-io/nats-core';
import { type ErrorAnswer, toErrorAnswer } from './answer-error.ts';
import { type CallContext, UnaryContext } from './call-context.ts';
import { readCallHeaders } from './call-headers.ts';
import { RpcUnavailableError, type ToRefusal } from './errors.ts';
import { encodeJson, parseWith } from './json.ts';
import type { RpcLogger } from './limits.ts';
import type { Received, Sent, UnaryMethod } from './method.ts';
import { startMeasure } from './rpc-metrics.ts';
import { RunningHandlers } from './running-handlers.ts';
import { requesterOf } from './subjects.ts';
import { endSpan, startServerSpan } from './tracing.ts';
import { endOfTurn } from './turn.ts';
import { errorHeader } from './unary-client.ts';

export type UnaryHandler<Method extends UnaryMethod> = (
  input: Received<Method['input']>,
  context: CallContext,
) => Promise<Sent<Method['output']>> | Sent<Method['output']>;

export type ServeOptions = {
  /** Concurrent handlers of this method; more calls are answered `overloaded`. */
  concurrentMax?: number;
  /** Distinguishes refusals of another package from failures; takes precedence over the connection's own. */
  toRefusal?: ToRefusal;
};

type UnaryServerParts = {
  connection: NatsConnection;
  isConnected: () => boolean;
  logger: RpcLogger;
  concurrentMax: number;
  defaultTimeoutMs: number;
  toRefusal: ToRefusal | undefined;
};

const errorHeaders = headers();
errorHeaders.append(errorHeader, '1');

/** Runs one method's handler for each message. `handle` never throws and never rejects. */
export class UnaryServer<Method extends UnaryMethod> {
  readonly #method: Method;
  readonly #handler: UnaryHandler<Method>;
  readonly #parts: UnaryServerParts;
  readonly running: RunningHandlers<UnaryContext> = new RunningHandlers();

  constructor(method: Method, handler: UnaryHandler<Method>, parts: UnaryServerParts) {
    this.#method = method;
    this.#handler = handler;
    this.#parts = parts;
  }

  handle(message: Msg): void {
    const requester = requesterOf(message.reply ?? '', this.#method.service);
    if (requester === null) {
      this.#parts.logger.warn(
        { subject: message.subject, reply: message.reply },
        'call without a proper reply subject ignored',
      );
      return;
    }
    if (this.running.count >= this.#parts.concurrentMax) {
      this.#answerError(message, { kind: 'overloaded' });
      startMeasure('server', this.#method)('overloaded');
      return;
    }
    // run() handles its own failures.
    void this.#run(message, requester);
  }

  async #run(message: Msg, requester: string): Promise<void> {
    const { service, method } = this.#method;
    const received = readCallHeaders(message.headers);
    const measured = startMeasure('server', this.#method);
    const { span, active, traceparent } = startServerSpan(service, method, received);
    const call = new UnaryContext(received, requester, received.timeoutMs ?? this.#parts.defaultTimeoutMs, traceparent);
    this.running.add(call);
    try {
      const input = parseWith(this.#method.input, message.data);
      if (!input.success) {
        this.#parts.logger.warn(
          { service, method, requester, request_id: call.correlationId, detail: input.detail },
          'input refused',
        );
        this.#answerError(message, { kind: 'invalid_input', detail: input.detail });
        endSpan(span, 'invalid_input');
        measured('invalid_input');
        return;
      }
      this.#parts.logger.debug({ service, method, requester, request_id: call.correlationId }, 'serving a call');
      const output = await context.with(active, () => this.#handler(input.data as Received<Method['input']>, call));
      await endOfTurn();
      if (call.remainingMs() > 0) this.#answer(message, encodeJson(output));
      endSpan(span);
      measured();
    } catch (error) {
      const answer = toErrorAnswer(error, this.#parts.toRefusal);
      if (answer.kind === 'internal') {
        this.#parts.logger.error(
          { service, method, requester, request_id: call.correlationId, err: error },
          'call failed',
        );
      }
      if (call.remainingMs() > 0) this.#answerError(message, answer);
      const code = answer.kind === 'refused' ? answer.code : answer.kind;
      endSpan(span, code);
      measured(code);
    } finally {
      call.finish();
      this.running.remove(call);
    }
  }

  #answer(message: Msg, payload: Uint8Array): void {
    const bytesMax = this.#parts.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (payload.length > bytesMax) {
      this.#parts.logger.error(
        { method: this.#method.method, bytes: payload.length, bytesMax },
        'answer too large for NATS',
      );
      this.#answerError(message, { kind: 'payload_too_large', bytes: payload.length, bytesMax });
      return;
    }
    this.#publish(message, payload);
  }

  #answerError(message: Msg, answer: ErrorAnswer): void {
    this.#publish(message, encodeJson(answer), true);
  }

  #publish(message: Msg, payload: Uint8Array, isError = false): void {
    // Without a connection the caller has been notified of its loss already; the client library would keep the answer in memory.
    if (!this.#parts.isConnected()) return;
    try {
      this.#parts.connection.publish(message.reply ?? '', payload, isError ? { headers: errorHeaders } : undefined);
    } catch (error) {
      this.#parts.logger.error({ method: this.#method.method, err: error }, 'answer could not be sent');
    }
  }

  abortAll(): void {
    for (const call of this.running) call.abort(new RpcUnavailableError('closed', 'this side closes'));
  }
}
