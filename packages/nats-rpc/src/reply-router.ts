import { randomBytes } from 'node:crypto';
import type { Msg, Subscription } from '@nats-io/nats-core';
import type { Link } from './connection.ts';
import { type RpcError, RpcForbiddenError, RpcUnavailableError } from './errors.ts';
import type { RpcLogger } from './limits.ts';
import { repliesOf, replySubject } from './subjects.ts';

/** One call that waits for messages on its own reply subject. Neither callback may throw. */
type PendingCall = {
  /** The subject of the request, so that a permission violation can be assigned to its call. */
  readonly subject: string;
  readonly what: string;
  onMessage(message: Msg): void;
  onFailure(error: RpcError): void;
};

/**
 * One wildcard subscription for all answers to this instance, and the table of waiting calls. The table is keyed by the whole reply subject, so an
 * answer from another service than the called one matches no call.
 */
export class ReplyRouter {
  readonly #service: string;
  readonly #instanceId: string;
  readonly #callsMax: number;
  readonly #calls = new Map<string, PendingCall>();
  readonly #subscription: Subscription;
  // A restarted process with the same instance id must not accept an answer meant for its predecessor.
  readonly #incarnation = randomBytes(9).toString('base64url');
  #counter = 0;
  #subscribeError: Error | undefined;

  constructor(link: Link, service: string, instanceId: string, callsMax: number, logger: RpcLogger) {
    this.#service = service;
    this.#instanceId = instanceId;
    this.#callsMax = callsMax;
    this.#subscription = link.connection.subscribe(repliesOf(service, instanceId), {
      callback: (error, message) => {
        if (error) {
          this.#subscribeError = error;
          return;
        }
        try {
          this.#calls.get(message.subject)?.onMessage(message);
        } catch (cause) {
          // An exception here would end the read loop of the NATS client.
          logger.error({ service, err: cause, subject: message.subject }, 'handling an answer failed');
        }
      },
    });
    link.onLost(() => {
      const connectionClosed = link.connection.isClosed();
      for (const call of this.#calls.values()) {
        call.onFailure(
          connectionClosed
            ? new RpcUnavailableError('closed', `the connection to NATS was closed during ${call.what}`)
            : new RpcUnavailableError('connection_lost', `the connection to NATS broke during ${call.what}`),
        );
      }
    });
    link.onForbidden((violation) => {
      // Deleting entries of a Map while iterating over it is well defined.
      for (const call of this.#calls.values()) {
        if (call.subject === violation.subject) {
          call.onFailure(new RpcForbiddenError(`${service} may not call ${call.what}`, { cause: violation }));
        }
      }
    });
  }

  /** Registers a call and returns its reply subject. Throws `RpcUnavailableError` (`too_many_calls`) when the table is full. */
  add(responder: string, call: PendingCall): string {
    if (this.#calls.size >= this.#callsMax) {
      throw new RpcUnavailableError('too_many_calls', `${this.#callsMax} calls are under way already`);
    }
    this.#counter += 1;
    const replyTo = replySubject(
      this.#service,
      responder,
      this.#instanceId,
      `${this.#incarnation}${this.#counter.toString(36)}`,
    );
    this.#calls.set(replyTo, call);
    return replyTo;
  }

  delete(replyTo: string): void {
    this.#calls.delete(replyTo);
  }

  /** The error with which the server refused the subscription, if it did. */
  get subscribeError(): Error | undefined {
    return this.#subscribeError;
  }

  get size(): number {
    return this.#calls.size;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }
}
