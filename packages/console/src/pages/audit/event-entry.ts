import type { AgentEvent } from '@agent-trust/client';
import type { LogEntry } from '@agent-trust/client/log';
import { hashKey } from '@tanstack/react-query';
import { isLogged, type ShownEvent } from './event-words.ts';

/** What the leaf of an event is the hash of; null where the reader does not see all of that. */
export function entryOf(event: ShownEvent): LogEntry | null {
  if (!isLogged(event)) return event.entry;
  if (event.archived) return null;
  const { position, event_id, stream, revision, type, recorded_at, metadata, data } = event;
  return { position, event_id, stream, revision, type, recorded_at, metadata, data };
}

/** Whether an owner's view of an event says what the entry says that comes with it: the entry is proven, and the view is read. */
export function isViewOf(event: AgentEvent, entry: LogEntry): boolean {
  const { correlationId = null, traceparent = null, actor } = entry.metadata as Partial<Record<string, unknown>>;
  const { kind = 'anonymous', id = null, credentials = null, keyId = null } = (actor ?? {}) as Partial<LoggedActor>;
  const inEntry = snakeCased(entry.data) as Record<string, unknown>;
  const names = new Set([...Object.keys(event.data), ...Object.keys(inEntry).filter((name) => !leftOut.has(name))]);
  const shown = [event.position, event.event_id, event.type, event.recorded_at, event.request_id, event.traceparent];
  const said = [entry.position, entry.event_id, entry.type, entry.recorded_at, correlationId, traceparent];
  return (
    isEqual(shown, said) &&
    event.actor.kind === kind &&
    // An organisation has its name in the view, and its id in the log.
    (kind === 'organisation' || event.actor.id === id) &&
    isEqual([event.actor.credentials ?? null, event.actor.key_id ?? null], [credentials, keyId]) &&
    [...names].every(
      (name) =>
        Object.hasOwn(event.data, name) && Object.hasOwn(inEntry, name) && isEqual(event.data[name], inEntry[name]),
    )
  );
}

type LoggedActor = { kind: string; id: string | null; credentials: string[] | null; keyId: string | null };

/** What owners know anyway, and an event does not repeat: their organisation, and the universe beside the data. */
const leftOut: ReadonlySet<string> = new Set(['org_id', 'universe']);

/** Whatever the order of their members. */
const isEqual = (one: unknown, other: unknown): boolean => hashKey([one]) === hashKey([other]);

/** The log has names as code has them, an owner's view as they stand on the wire. */
const snakeCased = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(inner),
    ]),
  );
};
