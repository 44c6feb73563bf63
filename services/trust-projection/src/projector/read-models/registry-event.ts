import { eventDefinitions, type RegistryEvent } from '@agent-trust/contracts';
import { createEventRegistry, type EventMetadata, type RecordedEvent } from '@agent-trust/event-log';
import type { ProjectedEvent, Projection } from '@agent-trust/projections';

/** An event of the registry in its current version, with its place in the log and who asked for it, where that was said. */
export type ProjectedRegistryEvent = RegistryEvent &
  Omit<ProjectedEvent, 'type'> & { actor: NonNullable<EventMetadata['actor']> | null };

export type RegistryProjection = Projection<ProjectedRegistryEvent>;

const registry = createEventRegistry<RegistryEvent>(eventDefinitions);

/** Upcasts and checks an event of the log; null for a type that this code does not know. Throws on data that breaks its schema. */
export function decodeRegistryEvent(recorded: RecordedEvent): ProjectedRegistryEvent | null {
  const event = registry.decode(recorded);
  if (event === undefined) return null;
  const { eventId, stream, revision, position, recordedAt, metadata } = recorded;
  return { ...event, eventId, stream, revision, position, recordedAt, actor: metadata.actor ?? null };
}
