import type { ProjectedRegistryEvent } from '../registry-event.ts';

export type OwnActivity = { agentId: string; at: string };

/** An agent that changes its own record is active; one that its organisation or the admin changes need not be: null then. */
export function ownActivityOf(event: ProjectedRegistryEvent): OwnActivity | null {
  const change = changeOf(event);
  return change !== null && event.actor?.kind === 'agent' && event.actor.id === change.agentId ? change : null;
}

const changeOf = (event: ProjectedRegistryEvent): OwnActivity | null => {
  switch (event.type) {
    case 'ConfigurationChanged':
    case 'ContactChanged':
    case 'OrgDomainChanged':
      return { agentId: event.data.agentId, at: event.data.changedAt };
    case 'ConfigurationPulled':
      return { agentId: event.data.agentId, at: event.data.pulledAt };
    case 'PublicKeyReplaced':
      return { agentId: event.data.agentId, at: event.data.replacedAt };
    case 'AgentAdopted':
      return { agentId: event.data.agentId, at: event.data.adoptedAt };
    default:
      return null;
  }
};
