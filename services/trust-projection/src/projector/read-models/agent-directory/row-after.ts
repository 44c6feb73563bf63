import { type AgentConfiguration, type AgentRegistered, production } from '@agent-trust/contracts';
import { isErased, normaliseOrgName } from '@agent-trust/domain';
import type { ProjectedRegistryEvent } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';
import type { AgentRow } from './table.ts';

type Configured = Pick<AgentRow, 'routable' | 'messageProtocol' | 'settlementRail' | 'configuration'>;

/** A configuration with those of its fields beside it that searches look at. */
const configured = (configuration: AgentConfiguration): Configured => ({
  routable: configuration.endpointUrl !== null,
  messageProtocol: configuration.messageProtocol,
  settlementRail: configuration.settlementRail ?? [],
  configuration,
});

const named = (orgName: string | null): Pick<AgentRow, 'orgName' | 'orgNameKey'> => ({
  orgName,
  orgNameKey: orgName === null ? null : normaliseOrgName(orgName),
});

/** The row that an agent begins with. */
export function registeredRow({ data }: AgentRegistered): AgentRow {
  return {
    agentId: data.agentId,
    universe: universeKey(data.universe),
    orgId: data.orgId,
    ...named(data.orgName),
    orgDomain: data.orgDomain,
    verified: data.verified,
    publicKey: data.publicKey,
    contactInfo: data.contact.contactInfo,
    pairedAgentId: null,
    relatedAgentId: null,
    ...configured(data.configuration),
    registeredAt: new Date(data.registeredAt),
  };
}

/** A registered agent's row after one more event; the same row where the event says nothing of it. */
export function rowAfter(event: ProjectedRegistryEvent, row: AgentRow): AgentRow {
  switch (event.type) {
    case 'ConfigurationChanged':
    case 'ConfigurationPulled':
    case 'ConfigurationPromoted':
      return { ...row, ...configured(event.data.configuration) };
    case 'ContactChanged':
      return { ...row, contactInfo: event.data.contact.contactInfo };
    case 'PersonalDataErased':
      return row.contactInfo !== null && isErased(row.contactInfo, event.data) ? { ...row, contactInfo: null } : row;
    case 'PublicKeyReplaced':
      return { ...row, publicKey: event.data.publicKey };
    case 'AgentAdopted':
      return { ...row, orgId: event.data.orgId, ...named(event.data.orgName), verified: true };
    case 'OrgNameChanged':
      return { ...row, ...named(event.data.orgName) };
    case 'OrgDomainChanged':
      return { ...row, orgDomain: event.data.orgDomain };
    case 'AgentPublished':
      return { ...row, universe: universeKey(production) };
    case 'AgentWithdrawn':
      return { ...row, universe: universeKey({ kind: 'sandbox', orgId: event.data.orgId }) };
    case 'ClonePaired':
      return { ...row, pairedAgentId: event.data.relatedAgentId, relatedAgentId: null };
    default:
      return row;
  }
}
