import { changedKeys, eventDefinitions } from '@agent-trust/contracts';
import type { Changed } from '@agent-trust/edge-replica';
import type { ComingBatch } from '@agent-trust/projections';
import {
  agentsChangedBy,
  agentsTouchedBy,
  type ProjectedRegistryEvent,
} from '../projector/read-models/registry-event.ts';

const keysOf = new Map(
  eventDefinitions.flatMap(({ type, keysOf: change }) => (change === null ? [] : [[type, change]])),
);

/**
 * What a batch changes of the answers that are held outside, as the events declare it; `beside` are the organisations whose records it changes, and by
 * that all their agents' scores. A policy changes all scores, an organisation's state all
 * of its agents, whom the event does not name, and what an event of an unknown type changes is not known.
 */
export function changedBy({ events, unknown, beside }: ComingBatch<ProjectedRegistryEvent>): Changed {
  const keys = new Set(beside.map(changedKeys.record));
  for (const event of events) {
    if (concernsMany(event)) return { keys: [], everything: true };
    for (const agentId of agentsChangedBy(event)) keys.add(changedKeys.agent(agentId));
    for (const agentId of agentsTouchedBy(event)) keys.add(changedKeys.standing(agentId));
    addKeyChange(event, keys);
  }
  return { keys: unknown ? [] : [...keys], everything: unknown };
}

const concernsMany = ({ type }: ProjectedRegistryEvent): boolean =>
  type === 'TrustPolicyActivated' || type === 'OrganisationDisabled' || type === 'OrganisationEnabled';

const keyOfOwner = {
  agentId: changedKeys.agent,
  orgId: changedKeys.organisation,
  operatorKeyId: changedKeys.operatorKey,
} as const;

const addKeyChange = (event: ProjectedRegistryEvent, keys: Set<string>): void => {
  const change = keysOf.get(event.type);
  if (change === undefined) return;
  const data = event.data as Readonly<Record<string, unknown>>;
  const ownerId = String(data[change.owner]);
  keys.add(keyOfOwner[change.owner](ownerId));
  // Another owner may have had the same key.
  for (const name of change.keyHashes) keys.add(changedKeys.credential(String(data[name])));
};
