import type { AgentEvent, LoggedEvent } from '@agent-trust/client';

/** An event as an operator or an owner sees it. */
export type ShownEvent = LoggedEvent | AgentEvent;

export function isLogged(event: ShownEvent): event is LoggedEvent {
  return 'metadata' in event;
}

type Actor = { kind?: unknown; id?: unknown; credentials?: unknown };

/** Who caused an event, and by which credentials, in a few words. */
export function actorText(event: ShownEvent): string {
  const actor = (isLogged(event) ? event.metadata['actor'] : event.actor) as Actor | undefined;
  if (actor === undefined || typeof actor.kind !== 'string') return 'unknown';
  const who = typeof actor.id === 'string' ? `${actor.kind} ${actor.id}` : actor.kind;
  const by = Array.isArray(actor.credentials) ? actor.credentials.filter((kind) => typeof kind === 'string') : [];
  return by.length === 0 ? who : `${who}, by ${by.join(' and ')}`;
}

/** Types of the events of a call's own stream, in which each is caused by the one before it. */
const ofExchange: ReadonlySet<string> = new Set([
  'ExchangeStarted',
  'ExchangeCompleted',
  'ExchangeFailed',
  'ExchangeAbandoned',
  'ExchangeReviewed',
  'ReviewAnswered',
]);

/** The transaction id of the call that an event belongs to; null if it belongs to none. */
export function callOf({ type, data }: ShownEvent): string | null {
  const ids = type === 'SettlementRecorded' ? ['callRef', 'call_ref'] : ['transactionId', 'transaction_id'];
  if (type !== 'SettlementRecorded' && !ofExchange.has(type)) return null;
  return ids.map((name) => data[name]).find((id) => typeof id === 'string') ?? null;
}

/**
 * The event of the same call that caused this one: what the call had come to before it. Null for the call's start and the voiding of its review, which their
 * requests caused, and where the call has left the log.
 *
 * @param ofCall The events of the call, oldest first.
 */
export function causeOf(event: ShownEvent, ofCall: readonly ShownEvent[]): ShownEvent | null {
  if (event.type === 'ReviewsVoided') return null;
  const isBefore = ({ position }: ShownEvent): boolean => BigInt(position) < BigInt(event.position);
  return ofCall.findLast((other) => ofExchange.has(other.type) && isBefore(other)) ?? null;
}

/** The W3C trace context of the request that caused an event, as far as the reader may know it. */
export function traceparentOf(event: ShownEvent): unknown {
  return isLogged(event) ? event.metadata['traceparent'] : event.traceparent;
}

/** The X-Request-Id of the request that caused an event; null if none did. */
export function requestOf(event: ShownEvent): string | null {
  const id = isLogged(event) ? event.metadata['correlationId'] : event.request_id;
  return typeof id === 'string' ? id : null;
}
