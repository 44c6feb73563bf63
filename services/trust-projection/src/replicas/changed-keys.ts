import type { Changed } from '@agent-trust/edge-replica';
import type { ComingBatch } from '@agent-trust/projections';
import { agentsTouchedBy, type ProjectedRegistryEvent } from '../projector/read-models/registry-event.ts';

/**
 * What a batch changes of the answers that gateways hold: trust objects, by agent_id. A policy changes all scores, and what an event of an
 * unknown type changes is not known.
 */
export function changedBy({ events, unknown }: ComingBatch<ProjectedRegistryEvent>): Changed {
  const keys = new Set<string>();
  for (const event of events) {
    if (event.type === 'TrustPolicyActivated') return { keys: [], groups: [], everything: true };
    for (const agentId of agentsTouchedBy(event)) keys.add(agentId);
  }
  return { keys: unknown ? [] : [...keys], groups: [], everything: unknown };
}
