import { type AgentConfiguration, type AgentRegistered, production } from '@agent-trust/contracts';
import { blockOf, isErased, isProofEvent, normaliseOrgName } from '@agent-trust/domain';
import type { Rows } from '@agent-trust/projections';
import {
  agentsChangedBy,
  knownAgentsChangedBy,
  type ProjectedRegistryEvent,
  type RegistryProjection,
} from '../registry-event.ts';
import { pick } from '../../../shared/pick.ts';
import { orgDomainProofs } from '../org-domains/projection.ts';
import {
  organisationMembers,
  organisations,
  switchedMembers,
  wantSwitchedMembers,
} from '../organisation-directory/projection.ts';
import { universeKey } from '../universe-key.ts';
import { type AgentRow, agents, pastAgents } from './table.ts';

/** Follows who each agent is, and keeps what was so before each change. */
export const agentDirectoryProjection: RegistryProjection = {
  name: 'agent-directory',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [agents, pastAgents],
  readsFrom: [orgDomainProofs, organisations, organisationMembers],
  reads: (event, wanted) => {
    for (const agentId of knownAgentsChangedBy(event)) wanted.row(agents, agentId);
    const domain = domainNamedBy(event);
    if (domain !== null) wanted.row(orgDomainProofs, domain);
    const orgId = organisationJoinedBy(event);
    if (orgId !== null) wanted.row(organisations, orgId);
    wantSwitchedMembers(event, wanted);
  },
  // The domain that an adopted agent has already; one that it got in the same batch was named there.
  readsThen: (event, rows, wanted) => {
    const domain = event.type === 'AgentAdopted' ? rows.get(agents, event.data.agentId)?.orgDomain : null;
    if (domain != null) wanted.row(orgDomainProofs, domain);
    for (const agentId of switchedMembers(event, rows)) wanted.row(agents, agentId);
  },
  apply: (event, rows) => {
    if (event.type === 'AgentRegistered') {
      rows.put(agents, withDomainProof(rows, withOrganisation(rows, registeredRow(event))));
      return;
    }
    for (const agentId of switchedMembers(event, rows)) {
      const member = rows.get(agents, agentId);
      if (member === undefined) throw new Error(`agent ${agentId} was never registered`);
      rows.put(agents, withOrganisation(rows, member));
      keepPast(event, rows, agentId);
    }
    if (isProofEvent(event)) {
      for (const agentId of agentsChangedBy(event)) {
        const holder = rows.get(agents, agentId);
        // An agent that has reserved the domain may not be registered yet; its registration looks at the proof.
        if (holder === undefined || holder.orgDomain !== event.data.domain) continue;
        rows.put(agents, withDomainProof(rows, holder));
        keepPast(event, rows, agentId);
      }
      return;
    }
    const [agentId] = agentsChangedBy(event);
    if (agentId === undefined) return;
    const row = rows.get(agents, agentId);
    if (row === undefined) throw new Error(`agent ${agentId} was never registered`);
    const next = rowAfter(event, row);
    const after = withRoutable(event.type === 'AgentAdopted' ? withOrganisation(rows, next) : next);
    rows.put(agents, hasOtherDomain(event) ? withDomainProof(rows, after) : after);
    if (event.type === 'ClonePaired') confirmPair(rows, agentId, event.data.relatedAgentId);
    for (const changed of agentsChangedBy(event)) keepPast(event, rows, changed);
  },
};

/** The domain that an event gives an agent. */
const domainNamedBy = (event: ProjectedRegistryEvent): string | null => {
  if (isProofEvent(event)) return event.data.domain;
  return event.type === 'AgentRegistered' || event.type === 'OrgDomainChanged' ? event.data.orgDomain : null;
};

const hasOtherDomain = ({ type }: ProjectedRegistryEvent): boolean =>
  type === 'OrgDomainChanged' || type === 'OrgDomainYielded' || type === 'AgentAdopted';

/** A proof is its organisation's: it says nothing of an agent of another that has the domain still. */
const withDomainProof = (rows: Rows, agent: AgentRow): AgentRow => {
  const proof = agent.orgDomain === null ? undefined : rows.get(orgDomainProofs, agent.orgDomain);
  const isOwn = proof !== undefined && proof.orgId === agent.orgId;
  const domainProof = !isOwn ? null : proof.lapsedAt === null ? 'proved' : 'lapsed';
  return domainProof === agent.domainProof ? agent : { ...agent, domainProof };
};

/**
 * The live agent names its clone before the clone exists. The clone's registration may fail, or another owner may take the id. So
 * neither agent shows the other until each names the other.
 */
const confirmPair = (rows: Rows, agentId: string, relatedAgentId: string): void => {
  const [agent, related] = [rows.get(agents, agentId), rows.get(agents, relatedAgentId)];
  if (agent === undefined || related?.pairedAgentId !== agentId) return;
  rows.put(agents, { ...agent, relatedAgentId });
  rows.put(agents, { ...related, relatedAgentId: agentId });
};

/** Keeps the row as the event found it, under the position of the event. */
const keepPast = (event: ProjectedRegistryEvent, rows: Rows, agentId: string): void => {
  const before = rows.getBefore(agents, agentId);
  const hidesContacts = endsContacts(event, before);
  if (before === undefined || (!hidesContacts && before === rows.get(agents, agentId))) return;
  const agent = pick(
    before,
    'universe',
    'orgId',
    'orgName',
    'orgDomain',
    'domainProof',
    'verified',
    'contactInfo',
    'relatedAgentId',
    'configuration',
    'isSuspended',
    'isRetired',
    'isOrganisationDisabled',
  );
  rows.insert(pastAgents, { agentId, untilPosition: event.position, hidesContacts, agent });
};

/** Whether the agent's owner, or an erasure, took the contact away. A contact that replaces another leaves that one in the past. */
const endsContacts = (event: ProjectedRegistryEvent, before: AgentRow | undefined): boolean =>
  event.type === 'PersonalDataErased' ||
  (event.type === 'ContactChanged' && event.data.contact.contactInfo === null && before?.contactInfo !== null);

/** The organisation that an event gives an agent. */
const organisationJoinedBy = (event: ProjectedRegistryEvent): string | null =>
  event.type === 'AgentRegistered' || event.type === 'AgentAdopted' ? event.data.orgId : null;

const withOrganisation = (rows: Rows, agent: AgentRow): AgentRow => {
  const isOrganisationDisabled = agent.orgId !== null && rows.get(organisations, agent.orgId)?.isDisabled === true;
  return isOrganisationDisabled === agent.isOrganisationDisabled
    ? agent
    : withRoutable({ ...agent, isOrganisationDisabled });
};

const withRoutable = (row: AgentRow): AgentRow => {
  const routable = row.configuration.endpointUrl !== null && blockOf(row) === null;
  return routable === row.routable ? row : { ...row, routable };
};

const inService = { isSuspended: false, isRetired: false, isOrganisationDisabled: false };

type Configured = Pick<AgentRow, 'messageProtocol' | 'settlementRail' | 'configuration'>;

/** A configuration with those of its fields beside it that searches look at. */
const configured = (configuration: AgentConfiguration): Configured => ({
  messageProtocol: configuration.messageProtocol,
  settlementRail: configuration.settlementRail ?? [],
  configuration,
});

const named = (orgName: string | null): Pick<AgentRow, 'orgName' | 'orgNameKey'> => ({
  orgName,
  orgNameKey: orgName === null ? null : normaliseOrgName(orgName),
});

const registeredRow = ({ data }: AgentRegistered): AgentRow => ({
  agentId: data.agentId,
  universe: universeKey(data.universe),
  orgId: data.orgId,
  ...named(data.orgName),
  orgDomain: data.orgDomain,
  domainProof: null,
  verified: data.verified,
  publicKey: data.publicKey,
  contactInfo: data.contact.contactInfo,
  pairedAgentId: null,
  relatedAgentId: null,
  ...configured(data.configuration),
  ...inService,
  routable: data.configuration.endpointUrl !== null,
  registeredAt: new Date(data.registeredAt),
});

/** A registered agent's row after one more event; the same row if the event does not change it. */
const rowAfter = (event: ProjectedRegistryEvent, row: AgentRow): AgentRow => {
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
    case 'OrgDomainYielded':
      return { ...row, orgDomain: null };
    case 'AgentPublished':
      return { ...row, universe: universeKey(production) };
    case 'AgentWithdrawn':
      return { ...row, universe: universeKey({ kind: 'sandbox', orgId: event.data.orgId }) };
    case 'AgentSuspended':
      return { ...row, isSuspended: true };
    case 'AgentReinstated':
      return { ...row, isSuspended: false };
    case 'AgentRetired':
      return { ...row, isRetired: true };
    case 'ClonePaired':
      return { ...row, pairedAgentId: event.data.relatedAgentId, relatedAgentId: null };
    default:
      return row;
  }
};
