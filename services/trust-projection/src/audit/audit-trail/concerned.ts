import type { JsonObject, JsonValue, RecordedEvent } from '@agent-trust/event-log';
import { isAgentProperty, universe } from '@agent-trust/contracts';
import { universeKey } from '../../projector/read-models/universe-key.ts';

const text = (value: JsonValue | undefined): string[] => (typeof value === 'string' ? [value] : []);

/** The agents that an event names, each once: by the names of properties, so that events of unknown types are found as well. */
export function agentsConcernedBy(data: JsonObject): string[] {
  const agents: string[] = [];
  // A loop, because it is asked for every event of the log.
  for (const name of Object.keys(data)) {
    const value = data[name];
    if (typeof value === 'string' && isAgentProperty(name) && !agents.includes(value)) agents.push(value);
  }
  return agents;
}

/** The organisations that an event names itself. */
export function organisationsNamedBy(data: JsonObject): string[] {
  return text(data['orgId']);
}

/** The kinds of credentials that proved who caused an event, and the named key among them, each once. */
export function credentialsOf({ actor }: RecordedEvent['metadata']): string[] {
  const { credentials = [], keyId } = actor ?? {};
  return [...new Set([...credentials, ...(keyId === undefined ? [] : [keyId])])];
}

/** Types after which the agent that the event names belongs to the organisation that it names. */
const makesOwner: ReadonlySet<string> = new Set(['AgentRegistered', 'AgentAdopted']);

/** Whose an agent is from this event on; null for an event that changes nothing of it. */
export function ownerAfter(event: { type: string; data: JsonObject }): { agentId: string; orgId: string } | null {
  if (!makesOwner.has(event.type)) return null;
  const [agentId] = text(event.data['agentId']);
  const [orgId] = organisationsNamedBy(event.data);
  return agentId === undefined || orgId === undefined ? null : { agentId, orgId };
}

/** Events of what agents do with each other stay in their universe, wherever the agents go afterwards. */
const dealings = /^(?:exchange|settlement)-/u;

/** Where an exchange, review or settlement took place; null for every other event. */
export function universeOf(event: { stream: string; data: JsonObject }): string | null {
  if (!dealings.test(event.stream)) return null;
  const parsed = universe.safeParse(event.data['universe']);
  return parsed.success ? universeKey(parsed.data) : null;
}
