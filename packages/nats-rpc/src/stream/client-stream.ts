import type { Msg } from '@nats-io/nats-core';
import type { Span } from '@opentelemetry/api';
import type { callHeaders } from '../call-headers.ts';
import type { Link } from '../connection.ts';
import {
  RpcCancelledError,
  RpcError,
  RpcPayloadTooLargeError,
  RpcProtocolError,
  RpcTimeoutError,
  RpcUnavailableError,
} from '../errors.ts';
import { decodeJson } from '../json.ts';
import type { RpcLimits } from '../limits.ts';
import type { Received, ReceivedTrailer, StreamMethod } from '../method.ts';
import type { ReplyRouter } from '../reply-router.ts';
import { isControlOf, requestSubject } from '../subjects.ts';
import { endSpan } from '../tracing.ts';
import { decodeAccept, decodeFrame, decodeWhole, encodeFrame, encodeOpen, type FrameKind } from './frames.ts';
import type { RequestBody } from './request-body.ts';
import { StreamEnd } from './stream-end.ts';

export type OpenedStream<Method extends StreamMethod> = {
  readonly head: Received<Method['head']>;
  /** The answer's body, which can be read once. It must be read, or the stream cancelled. Leaving the loop early cancels the stream. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Resolves when the answer is complete, which requires reading the body. Rejects if the stream ends in another way. */
  readonly trailer: Promise<ReceivedTrailer<Method>>;
  /** Cancels the stream; does nothing if it has ended. */
  cancel(): void;
};

type ClientStreamParts = {
  what: string;
  link: Link;
  router: ReplyRouter;
  limits: RpcLimits;
  body: RequestBody;
  span: Span;
  signal: AbortSignal | undefined;
  idleTimeoutMs: number;
  onClosed(): void;
};

/** Reserved for the headers of an opening. */
const headerBytesMax = 4_096;

/** The opener's side of one stream. */
export class ClientStream<Method extends StreamMethod> {
  readonly #method: Method;
  readonly #parts: ClientStreamParts;
  readonly #end: StreamEnd;
  readonly #head = Promise.withResolvers<Received<Method['head']>>();
  readonly #trailer = Promise.withResolvers<ReceivedTrailer<Method>>();
  #headReceived = false;
  #replyTo = '';
  #control: string | undefined;
  #headTimer: NodeJS.Timeout | undefined;
  #cancelledUnheard = false;

  constructor(method: Method, parts: ClientStreamParts) {
    this.#method = method;
    this.#parts = parts;
    // A caller that uses only one of the two promises may leave the other unawaited.
    this.#head.promise.catch(() => {});
    this.#trailer.promise.catch(() => {});
    this.#end = new StreamEnd({
      what: parts.what,
      limits: parts.limits,
      idleTimeoutMs: parts.idleTimeoutMs,
      nextOut: 1,
      nextIn: 0,
      publish: (frame, probe) => this.#publish(frame, probe),
      onFrame: (kind, payload) => this.#onFrame(kind, payload),
      tellFailure: () => this.#sendCancel(),
      onClosed: (error) => this.#onClosed(error),
      onReaderLeft: () => this.#cancel('its reader left'),
    });
  }

  async open(
    input: Uint8Array,
    requestHeaders: ReturnType<typeof callHeaders>,
    remainingMs: number,
    headTimeoutMs: number,
  ): Promise<OpenedStream<Method>> {
    const { what, link, router, limits, body, signal } = this.#parts;
    const { service, method } = this.#method;
    const subject = requestSubject(service, method);
    const frame = encodeFrame(
      'open',
      0,
      encodeOpen({
        windowBytes: limits.windowBytes,
        bodyComplete: body.complete,
        input,
        body: body.inline,
      }),
    );
    const bytesMax = link.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    try {
      if (frame.length + headerBytesMax > bytesMax) {
        throw new RpcPayloadTooLargeError(`the opening of ${what}`, frame.length + headerBytesMax, bytesMax);
      }
      this.#replyTo = router.add(service, {
        subject,
        what,
        onMessage: (message) => this.#onMessage(message),
        onFailure: (error) => this.#end.close(error),
      });
      signal?.addEventListener('abort', this.#onAbort, { once: true });
      if (signal?.aborted) throw new RpcCancelledError(`${what} was cancelled`, { cause: signal.reason });
      link.connection.publish(subject, frame, { reply: this.#replyTo, headers: requestHeaders });
    } catch (error) {
      this.#end.close(
        error instanceof RpcError
          ? error
          : new RpcUnavailableError('closed', `${what} could not be opened`, { cause: error }),
      );
    }
    this.#headTimer = setTimeout(
      () =>
        this.#end.fail(new RpcTimeoutError('head', headTimeoutMs, `${what} gave no head within ${headTimeoutMs} ms`)),
      remainingMs,
    );
    try {
      const head = await this.#head.promise;
      return {
        head,
        body: this.#end.queue,
        trailer: this.#trailer.promise,
        cancel: () => this.#cancel('its caller cancelled it'),
      };
    } finally {
      clearTimeout(this.#headTimer);
    }
  }

  readonly #onAbort = (): void => this.#cancel('its signal was aborted', this.#parts.signal?.reason);

  #cancel(why: string, cause?: unknown): void {
    this.#end.fail(new RpcCancelledError(`${this.#parts.what} was cancelled: ${why}`, { cause }));
  }

  #onMessage(message: Msg): void {
    if (message.headers?.code === 503) {
      if (this.#control === undefined) {
        const { service } = this.#method;
        this.#end.close(
          new RpcUnavailableError('no_responders', `no instance of ${service} serves ${this.#parts.what}`),
        );
      } else {
        this.#end.peerGone();
      }
      return;
    }
    if (this.#cancelledUnheard) return this.#cancelLate(message.data);
    this.#end.receive(message.data);
  }

  #onFrame(kind: FrameKind, payload: Uint8Array): void {
    switch (kind) {
      case 'accept':
        return this.#onAccept(payload);
      case 'head':
        return this.#onHead(payload);
      case 'end':
        return this.#onEnd(payload);
      case 'whole': {
        const whole = decodeWhole(payload);
        if (whole === null || this.#headReceived) throw this.#breach('a whole answer that cannot be');
        this.#onHead(whole.head);
        this.#end.queue.pushInline(whole.body);
        return this.#onEnd(whole.trailer);
      }
      default:
        throw this.#breach(`a frame '${kind}' that only openers send`);
    }
  }

  #onAccept(payload: Uint8Array): void {
    const accept = decodeAccept(payload);
    if (accept === null || this.#control !== undefined || !isControlOf(accept.control, this.#method.service)) {
      throw this.#breach('an accept that cannot be');
    }
    this.#control = accept.control;
    this.#end.startKeepAlive();
    if (this.#parts.body.complete) return;
    this.#end.gate.open(accept.windowBytes);
    this.#upload().catch((error: unknown) => {
      // The stream's own end also stops the upload; only a failing source is reported here.
      this.#end.fail(new RpcCancelledError(`${this.#parts.what}: the request body failed`, { cause: error }));
    });
  }

  async #upload(): Promise<void> {
    for await (const chunk of this.#parts.body.rest()) {
      if (this.#end.isClosed) return;
      await this.#end.sendData(chunk);
    }
    this.#end.send('end');
  }

  #onHead(json: Uint8Array): void {
    if (this.#headReceived) throw this.#breach('a second head');
    const parsed = this.#method.head.safeParse(decodeJson(json));
    if (!parsed.success)
      throw new RpcProtocolError(`the head of ${this.#parts.what} breaks its schema`, { cause: parsed.error });
    this.#headReceived = true;
    clearTimeout(this.#headTimer);
    this.#head.resolve(parsed.data as Received<Method['head']>);
  }

  #onEnd(json: Uint8Array): void {
    if (!this.#headReceived) throw this.#breach('an end without a head');
    const value = decodeJson(json);
    const parsed = this.#method.trailer?.safeParse(value) ?? { success: true as const, data: value };
    if (!parsed.success)
      throw new RpcProtocolError(`the trailer of ${this.#parts.what} breaks its schema`, { cause: parsed.error });
    this.#trailer.resolve(parsed.data as ReceivedTrailer<Method>);
    this.#end.close();
  }

  #breach(detail: string): RpcProtocolError {
    return new RpcProtocolError(`${this.#parts.what}: ${detail}`);
  }

  #publish(frame: Uint8Array, probe: boolean): void {
    const { link } = this.#parts;
    // Without a connection, its loss is about to end the stream.
    if (this.#control === undefined || !link.isConnected() || link.connection.isClosed()) return;
    link.connection.publish(this.#control, frame, probe ? { reply: this.#replyTo } : undefined);
  }

  #sendCancel(): void {
    if (this.#control === undefined) this.#cancelledUnheard = true;
    else this.#end.send('cancel');
  }

  /** The stream was cancelled before the server sent its control subject: the cancel is sent as soon as the subject is known. */
  #cancelLate(message: Uint8Array): void {
    this.#parts.router.delete(this.#replyTo);
    const frame = decodeFrame(message);
    const accept = frame?.kind === 'accept' ? decodeAccept(frame.payload) : null;
    if (accept && isControlOf(accept.control, this.#method.service)) {
      this.#control = accept.control;
      this.#publish(encodeFrame('cancel', 1), false);
    }
  }

  #onClosed(error: RpcError | undefined): void {
    const { router, body, signal, span, limits } = this.#parts;
    clearTimeout(this.#headTimer);
    signal?.removeEventListener('abort', this.#onAbort);
    body.abandon();
    if (this.#cancelledUnheard) setTimeout(() => router.delete(this.#replyTo), limits.peerSilenceMsMax).unref();
    else router.delete(this.#replyTo);
    if (error) {
      this.#head.reject(error);
      this.#trailer.reject(error);
    }
    // If a stream fails before its head, open() closes it and sees the same error.
    if (this.#headReceived) endSpan(span, error?.code);
    this.#parts.onClosed();
  }
}
