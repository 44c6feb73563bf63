import type { AgentEvent, LoggedEvent } from '@agent-trust/client';

/** An event as an operator or an owner sees it. */
export type ShownEvent = LoggedEvent | AgentEvent;

export function isLogged(event: ShownEvent): event is LoggedEvent {
  return 'leaf_hash' in event;
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

/** The X-Request-Id of the request that caused an event; null if none did. */
export function requestOf(event: ShownEvent): string | null {
  const id = isLogged(event) ? event.metadata['correlationId'] : event.request_id;
  return typeof id === 'string' ? id : null;
}
