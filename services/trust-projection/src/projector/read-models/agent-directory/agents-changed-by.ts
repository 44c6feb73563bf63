import type { ProjectedRegistryEvent } from '../registry-event.ts';

/** The agents whose place in the directory an event may change; read models that follow the directory look at these. */
export function agentsChangedBy(event: ProjectedRegistryEvent): readonly string[] {
  switch (event.type) {
    case 'AgentRegistered':
    case 'ConfigurationChanged':
    case 'ConfigurationPulled':
    case 'ConfigurationPromoted':
    case 'ContactChanged':
    case 'PersonalDataErased':
    case 'PublicKeyReplaced':
    case 'AgentAdopted':
    case 'OrgNameChanged':
    case 'OrgDomainChanged':
    case 'AgentPublished':
    case 'AgentWithdrawn':
      return [event.data.agentId];
    case 'ClonePaired':
      return [event.data.agentId, event.data.relatedAgentId];
    default:
      return [];
  }
}
