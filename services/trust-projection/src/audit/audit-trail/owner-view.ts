import { isDeepStrictEqual } from 'node:util';
import {
  type Actor,
  agentStream,
  eventDefinitions,
  exchangeStream,
  type OwnedAgentEvent,
  production,
} from '@agent-trust/contracts';
import type { JsonObject, JsonValue, RecordedEvent } from '@agent-trust/event-log';
import { logEntryOf } from '@agent-trust/transparency-log';
import { agentsConcernedBy, universeOf } from './concerned.ts';

const shownToOwner: ReadonlyMap<string, readonly string[]> = new Map(
  eventDefinitions.map(({ type, shownToOwner: names }) => [type, names]),
);

/** The types of events that owners see. */
export const typesShownToOwners: readonly string[] = [...shownToOwner]
  .filter(([, names]) => names.length > 0)
  .map(([type]) => type);

/** An agent and the organisation that has it, which asks. */
export type Owned = { agentId: string; orgId: string; orgName: string };

/** An event as the owner of an agent that it speaks of sees it; those of other types than `typesShownToOwners` must not come here. */
export function ownerView(
  event: RecordedEvent,
  owned: Owned,
): Omit<OwnedAgentEvent, 'archived' | 'leafIndex' | 'leafHash' | 'entry'> {
  const { metadata } = event;
  const isOwn = mayKnowRequest(event, owned);
  const where = universeOf(event);
  return {
    position: String(event.position),
    eventId: event.eventId,
    type: event.type,
    recordedAt: event.recordedAt.toISOString(),
    universe: where === null ? null : where === 'production' ? 'production' : 'sandbox',
    actor: shownActor(event, owned),
    requestId: isOwn ? (metadata.correlationId ?? null) : null,
    causationId: isOwn ? (metadata.causationId ?? null) : null,
    traceparent: isOwn ? (metadata.traceparent ?? null) : null,
    data: Object.fromEntries(
      shownData(event, owned).flatMap((name): [string, JsonValue][] => {
        const value = event.data[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/**
 * The whole leaf of an event, if it has nothing that `ownerView` leaves out but what its owner knows anyway: its own organisation and universe, and
 * the event's place in the agent's or the exchange's stream. Null if it has: nobody computes the leaf's hash from a part of it.
 */
export function ownerEntry(event: RecordedEvent, owned: Owned): OwnedAgentEvent['entry'] {
  const { stream, metadata, data } = event;
  const shown = shownData(event, owned);
  const isKnown = ([name, value]: [string, JsonValue]): boolean =>
    shown.includes(name) ||
    (name === 'orgId' && value === owned.orgId) ||
    (name === 'universe' && isOwnUniverse(value, owned));
  const { transactionId } = data;
  const isOwnStream =
    stream === agentStream(owned.agentId) ||
    (typeof transactionId === 'string' && stream === exchangeStream(transactionId));
  const isActorShown = (metadata.actor?.id ?? null) === null || shownActor(event, owned).id !== null;
  const isWhole =
    shown.length > 0 &&
    Object.entries(data).every(isKnown) &&
    isOwnStream &&
    isActorShown &&
    mayKnowRequest(event, owned) &&
    Object.keys(metadata).every((name) => knownMetadata.has(name));
  if (!isWhole) return null;
  const entry = logEntryOf(event);
  return { ...entry, metadata: { ...entry.metadata }, data: { ...entry.data } };
}

/** What `mayKnowRequest` and `shownActor` decide about. Anything else is hidden until it is listed. */
const knownMetadata: ReadonlySet<string> = new Set<keyof RecordedEvent['metadata']>([
  'correlationId',
  'causationId',
  'actor',
  'traceparent',
  'schemaVersion',
]);

const isOwnUniverse = (value: JsonValue, { orgId }: Owned): boolean =>
  [production, { kind: 'sandbox', orgId }].some((own) => isDeepStrictEqual(value, own));

const shownData = (event: RecordedEvent, { agentId }: Owned): readonly string[] => {
  const shown = shownToOwner.get(event.type) ?? [];
  const ofAnother = typeof event.data['agentId'] === 'string' && event.data['agentId'] !== agentId;
  // A clone's configuration is its own universe's to see, although the event names its live counterpart, too.
  return ofAnother ? shown.filter((name) => name !== 'configuration' && name !== 'changedFields') : shown;
};

/**
 * Whether an owner may see the request behind an event: its own, the operators', or an anonymous one to the agent itself. Senders choose
 * the ids of their requests, so those of counterparties, or of organisations that claimed the agent's domain, are not shown.
 */
const mayKnowRequest = (event: RecordedEvent, { agentId, orgId }: Owned): boolean => {
  const { actor } = event.metadata;
  const where = universeOf(event);
  switch (actor?.kind as Actor['kind'] | undefined) {
    case 'organisation':
      return actor?.id === orgId;
    case 'agent':
      // In a sandbox there is nobody but agents of one organisation.
      return actor?.id === agentId || (where !== null && where !== 'production');
    case 'admin':
    case 'operator':
    case 'system':
      return true;
    case 'anonymous':
    case undefined:
      return where === null;
  }
};

const shownActor = (event: RecordedEvent, { orgId, orgName }: Owned): OwnedAgentEvent['actor'] => {
  const { kind = 'anonymous', id = null, keyId, credentials = null } = event.metadata.actor ?? {};
  // Owners see that an operator did it, not which one, nor how that one proves it.
  const isNamedOperator = kind === 'operator' && id !== null;
  const shownCredentials = isNamedOperator ? null : credentials;
  const isOwnKey = kind === 'organisation' && id === orgId && keyId !== undefined;
  return {
    kind,
    id: shownActorId(event.data, { kind, id }, { orgId, orgName }),
    ...(isOwnKey ? { keyId } : {}),
    credentials: shownCredentials,
  };
};

const shownActorId = (
  data: JsonObject,
  { kind, id }: { kind: string; id: string | null },
  { orgId, orgName }: { orgId: string; orgName: string },
): string | null => {
  if (kind === 'organisation') return id === orgId ? orgName : null;
  return kind === 'agent' && id !== null && agentsConcernedBy(data).includes(id) ? id : null;
};
