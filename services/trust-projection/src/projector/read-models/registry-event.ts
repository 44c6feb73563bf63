import { eventDefinitions, type EventDefinition, type RegistryEvent } from '@agent-trust/contracts';
import { createEventRegistry, type EventMetadata, type RecordedEvent } from '@agent-trust/event-log';
import type { ProjectedEvent, Projection } from '@agent-trust/projections';

/** An event of the registry in its current version, with its place in the log and who asked for it, where that was said. */
export type ProjectedRegistryEvent = RegistryEvent &
  Omit<ProjectedEvent, 'type'> & { actor: NonNullable<EventMetadata['actor']> | null };

export type RegistryProjection = Projection<ProjectedRegistryEvent>;

const registry = createEventRegistry(eventDefinitions);

/**
 * Upcasts and checks an event of the log. A type that this code does not know was written by a newer version, and may have revoked a key or
 * blocked an agent: going on without it would answer wrongly.
 *
 * @throws EventSchemaError for an unknown type or version, and for data that breaks its schema
 */
export function decodeRegistryEvent(recorded: RecordedEvent): ProjectedRegistryEvent {
  const event = registry.decodeKnown(recorded);
  const { eventId, stream, revision, position, recordedAt, metadata } = recorded;
  return { ...event, eventId, stream, revision, position, recordedAt, actor: metadata.actor ?? null };
}

type AgentProperties = ReadonlyMap<string, EventDefinition['profileOf']>;

const profileOf: AgentProperties = new Map(eventDefinitions.map(({ type, profileOf: names }) => [type, names]));
const touched: AgentProperties = new Map(
  eventDefinitions.map(({ type, profileOf: names, standingOf }) => [type, [...names, ...standingOf]]),
);

const noAgents: readonly string[] = [];

// Loops, because several projections ask at every event.
const agentsNamed = (event: ProjectedRegistryEvent, properties: AgentProperties): readonly string[] => {
  const names = properties.get(event.type);
  if (names === undefined || names.length === 0) return noAgents;
  const data = event.data as Readonly<Record<string, string | readonly string[] | null | undefined>>;
  const agents: string[] = [];
  for (const name of names) {
    const named = data[name];
    if (typeof named === 'string') agents.push(named);
    else if (named != null) agents.push(...named);
  }
  return agents;
};

/** The agents whose entry in the directory an event may change; read models that follow the directory look at these. */
export function agentsChangedBy(event: ProjectedRegistryEvent): readonly string[] {
  return agentsNamed(event, profileOf);
}

/** The agents whose directory entry, earnings or last activity may change with an event. */
export function agentsTouchedBy(event: ProjectedRegistryEvent): readonly string[] {
  return agentsNamed(event, touched);
}

/** Those of `agentsChangedBy` that there were before the event: a registration makes all rows of its agent, and none has to be loaded. */
export function knownAgentsChangedBy(event: ProjectedRegistryEvent): readonly string[] {
  return event.type === 'AgentRegistered' ? noAgents : agentsChangedBy(event);
}

/** Those of `agentsTouchedBy` that there were before the event. */
export function knownAgentsTouchedBy(event: ProjectedRegistryEvent): readonly string[] {
  return event.type === 'AgentRegistered' ? noAgents : agentsTouchedBy(event);
}
