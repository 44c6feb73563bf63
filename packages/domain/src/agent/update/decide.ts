import type { AgentEvent, CapabilityConfirmationAnswered } from '@agent-trust/contracts';
import type { UpdateAgent } from '../commands.ts';
import { ensureConfirmedPair } from '../confirmed-pair.ts';
import { ensureNoOrgFields } from '../register/org-fields-need-org-key-or-admin.ts';
import { contactChange } from '../personal-data/sealed-contact.ts';
import type { AgentState, RegisteredAgent } from '../state.ts';
import { configurationAfter, configurationChange, ensureAdmissibleConfiguration } from './configuration-after.ts';
import { contactAfter, publicKeyChange } from './identity-change.ts';
import { adoption, orgDomainAfter, orgDomainChange, orgNameAfter, orgNameChange } from './org-fields-after.ts';
import { ensureSandboxKeyForPull } from './pull-needs-sandbox-key.ts';
import { ensureKnownAgent, ensureMayUpdate, type UpdateAuthority } from './who-may-update.ts';

/** An update that its credentials allow. `live` is the counterpart that its configuration is pulled from, or null. */
export type AllowedUpdate = { agent: RegisteredAgent; authority: UpdateAuthority; live: RegisteredAgent | null };

/** Who may, before what may be. Refusals: agent_not_found, sandbox_key_required, not_owner, wrong_universe, org_fields_forbidden, not_a_confirmed_pair. */
export function ensureUpdateAllowed(command: UpdateAgent, state: AgentState): AllowedUpdate {
  const { agentId, credentials, pull } = command;
  const agent = ensureKnownAgent(agentId, credentials, state);
  if (pull !== null) ensureSandboxKeyForPull(credentials);
  const authority = ensureMayUpdate(agent, credentials);
  if (!authority.isAdmin && authority.organisation === null) {
    ensureNoOrgFields(command.orgName ?? null, command.orgDomain ?? null);
  }
  return { agent, authority, live: pull === null ? null : ensureConfirmedPair(agent, pull.fromAgentId, pull.state) };
}

/**
 * The rules of what an update leads to, but for those of the org_domain, which need a reservation: so that an update which breaks one
 * reserves nothing. The admin credential skips the rules of business, never the soundness of a key. Refusals: those of
 * `ensureUpdateAllowed`, then invalid_public_key, capability_weights_exceeded, price_schedule_incomplete.
 */
export function ensureUpdatable(command: UpdateAgent, state: AgentState): AllowedUpdate & { orgDomain: string | null } {
  const allowed = ensureUpdateAllowed(command, state);
  const { agent, authority, live } = allowed;
  publicKeyChange(command, agent);
  if (!authority.isAdmin) {
    ensureAdmissibleConfiguration(command, agent.configuration, configurationAfter(command, agent, live));
  }
  return { ...allowed, orgDomain: orgDomainAfter(command, agent, authority) };
}

/**
 * Writes the fields that a request names, an event for each kind of thing that changes and none for what stays as it is. Refusals:
 * those of `ensureUpdatable`, then org_domain_taken.
 */
export function updateAgent(command: UpdateAgent, state: AgentState): AgentEvent[] {
  const { agent, authority, live, orgDomain } = ensureUpdatable(command, state);
  const adopted = adoption(command, agent, authority);
  const orgName = orgNameAfter(command, agent, authority);
  const configuration = configurationAfter(command, agent, live);
  return [
    ...adopted,
    // An adoption says the name already.
    ...(adopted.length > 0 ? [] : orgNameChange(command, agent, orgName)),
    ...orgDomainChange(command, agent, orgDomain),
    ...contactChange(agent, contactAfter(command, agent), command.now),
    ...publicKeyChange(command, agent),
    ...configurationChange(command, agent.configuration, configuration),
    ...command.answered.map(
      (answer): CapabilityConfirmationAnswered => ({
        type: 'CapabilityConfirmationAnswered',
        data: { agentId: agent.agentId, universe: agent.universe, ...answer, answeredAt: command.now },
      }),
    ),
  ];
}
