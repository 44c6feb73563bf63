import {
  type AgentAdopted,
  type AgentConfiguration,
  type ConfigurationChanged,
  type ConfigurationField,
  type ConfigurationPulled,
  DomainError,
  type OrgDomainChanged,
  type OrgDomainReservationLapsed,
  type OrgNameChanged,
} from '@agent-trust/contracts';
import type { UpdateAgent } from './commands.ts';
import {
  changedFields,
  ensureCapabilityWeightTiers,
  ensurePaymentFieldsOfPrices,
  mergeCapabilities,
  patchConfiguration,
} from './configuration.ts';
import { ensureStandingReservation, reservationLapsed } from './org-domain.ts';
import type { RegisteredAgent } from './state.ts';

/** The authority of an update. `organisation` owns the agent or adopts it; with neither, the agent itself is the authority. */
export type UpdateAuthority = { isAdmin: boolean; organisation: { orgId: string; orgName: string } | null };

/** The configuration after an update: the pulled one, else the agent's own, with the fields that the request names. */
export function configurationAfter(
  command: UpdateAgent,
  agent: RegisteredAgent,
  live: RegisteredAgent | null,
): AgentConfiguration {
  const { capabilities } = command.configuration;
  return patchConfiguration((live ?? agent).configuration, {
    ...command.configuration,
    ...(capabilities === undefined ? {} : { capabilities: mergeCapabilities(capabilities) }),
  });
}

const priceFields: readonly ConfigurationField[] = ['priceSchedule', 'paymentNetwork', 'paymentPayTo', 'paymentAsset'];

/**
 * Applies only the business rules whose fields the update touches: an agent that the admin let break a rule can still change other
 * fields. Refusals: capability_weights_exceeded, price_schedule_incomplete.
 */
export function ensureAdmissibleConfiguration(
  command: UpdateAgent,
  before: AgentConfiguration,
  after: AgentConfiguration,
): void {
  const changed = changedFields(before, after);
  const touches = (field: ConfigurationField): boolean =>
    changed.includes(field) || command.configuration[field] !== undefined;
  if (touches('capabilities')) ensureCapabilityWeightTiers(after.capabilities);
  if (priceFields.some(touches)) ensurePaymentFieldsOfPrices(after);
}

/** One event for all changed fields; a pull names its source. */
export function configurationChange(
  command: UpdateAgent,
  before: AgentConfiguration,
  configuration: AgentConfiguration,
): (ConfigurationChanged | ConfigurationPulled)[] {
  const { agentId, pull, now } = command;
  const changed = changedFields(before, configuration);
  if (changed.length === 0) return [];
  const data = { agentId, configuration, changedFields: changed };
  return pull === null
    ? [{ type: 'ConfigurationChanged', data: { ...data, changedAt: now } }]
    : [{ type: 'ConfigurationPulled', data: { ...data, fromAgentId: pull.fromAgentId, pulledAt: now } }];
}

/** An agent without an organisation joins that of the key which came with its own or the admin's credential. */
export function adoption(command: UpdateAgent, agent: RegisteredAgent, authority: UpdateAuthority): AgentAdopted[] {
  const { organisation } = authority;
  if (organisation === null || agent.orgId !== null) return [];
  const { orgId, orgName } = organisation;
  return [{ type: 'AgentAdopted', data: { agentId: agent.agentId, orgId, orgName, adoptedAt: command.now } }];
}

/** An organisation's key forces its canonical name, whatever is sent; the admin may set any name, and null clears it. */
export function orgNameAfter(
  command: UpdateAgent,
  agent: RegisteredAgent,
  { isAdmin, organisation }: UpdateAuthority,
): string | null {
  if (organisation !== null) return organisation.orgName;
  return isAdmin && command.orgName !== undefined ? command.orgName : agent.orgName;
}

/** Null from an organisation or the admin clears the domain; from the agent itself it counts as absent. */
export function orgDomainAfter(
  command: UpdateAgent,
  agent: RegisteredAgent,
  { isAdmin, organisation }: UpdateAuthority,
): string | null {
  const maySet = isAdmin || organisation !== null;
  return maySet && command.orgDomain !== undefined ? command.orgDomain : agent.orgDomain;
}

export function orgNameChange(command: UpdateAgent, agent: RegisteredAgent, orgName: string | null): OrgNameChanged[] {
  return orgName === agent.orgName
    ? []
    : [{ type: 'OrgNameChanged', data: { agentId: agent.agentId, orgName, changedAt: command.now } }];
}

/**
 * A new domain needs its reservation. The former one is given up in the same append, so nobody has to wait for its lease. Refuses with
 * `org_domain_taken`.
 */
export function orgDomainChange(
  { reservation, leaving, now }: Pick<UpdateAgent, 'reservation' | 'leaving' | 'now'>,
  agent: RegisteredAgent,
  orgDomain: string | null,
): (OrgDomainChanged | OrgDomainReservationLapsed)[] {
  if (orgDomain === agent.orgDomain) return [];
  if (orgDomain !== null && reservation === null) {
    // The agent had this domain when the command read it, and needed no reservation; another update took it away since.
    throw new DomainError('org_domain_taken', `the org_domain of ${JSON.stringify(agent.agentId)} changed; try again`);
  }
  ensureStandingReservation({ orgDomain, reservation }, agent);
  const isLeft = leaving !== null && leaving.domain === agent.orgDomain;
  return [
    { type: 'OrgDomainChanged', data: { agentId: agent.agentId, orgDomain, changedAt: now } },
    ...(isLeft ? [reservationLapsed(agent.agentId, leaving, now)] : []),
  ];
}
