import type { Actor, ReceivedCall } from './call-headers.ts';
import { RpcTimeoutError } from './errors.ts';

/** What a handler knows about the call besides its input. */
export type CallContext = {
  readonly correlationId: string;
  readonly actor: Actor | undefined;
  readonly traceparent: string | undefined;
  /** The calling service. */
  readonly requester: string;
  /** Aborts at the deadline, when a stream is cancelled, and when this side closes. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline; never negative. */
  remainingMs(): number;
};

/**
 * The context of a unary call. Its signal is created on first use: most handlers never use it, and a timer and a controller for every call would cost
 * more than the rest of the bookkeeping.
 */
export class UnaryContext implements CallContext {
  readonly correlationId: string;
  readonly actor: Actor | undefined;
  readonly traceparent: string | undefined;
  readonly requester: string;
  readonly #timeoutMs: number;
  readonly #deadlineAt: number;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(received: ReceivedCall, requester: string, timeoutMs: number, traceparent: string | undefined) {
    this.correlationId = received.correlationId;
    this.actor = received.actor;
    this.traceparent = traceparent;
    this.requester = requester;
    this.#timeoutMs = timeoutMs;
    this.#deadlineAt = performance.now() + timeoutMs;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    const abort = (): void =>
      controller.abort(
        new RpcTimeoutError('answer', this.#timeoutMs, `the caller stopped waiting after ${this.#timeoutMs} ms`),
      );
    const remaining = this.remainingMs();
    if (remaining === 0) abort();
    else this.#timer = setTimeout(abort, remaining);
    return controller.signal;
  }

  remainingMs(): number {
    return Math.max(0, this.#deadlineAt - performance.now());
  }

  /** Aborts the handler; used when this side closes. */
  abort(reason: unknown): void {
    this.#controller?.abort(reason);
  }

  /** The handler has finished: no timer may outlive it. */
  finish(): void {
    clearTimeout(this.#timer);
  }
}
