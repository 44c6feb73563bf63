import type {
  AgentConfiguration,
  AgentEvent,
  CapabilityConfirmationAnswered,
  PublicKeyReplaced,
  SealedContact,
} from '@agent-trust/contracts';
import type { UpdateAgent } from '../commands.ts';
import { ensureConfirmedPair } from '../confirmed-pair.ts';
import { ensureSoundPublicKey } from '../public-key.ts';
import { ensureNoOrgFields } from '../register/org-fields-need-org-key-or-admin.ts';
import { contactChange } from '../personal-data/sealed-contact.ts';
import type { AgentState, RegisteredAgent } from '../state.ts';
import { configurationAfter, configurationChange, ensureAdmissibleConfiguration } from './configuration-after.ts';
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

/** What an allowed update leads to, by the rules that need canonical capabilities but no reservation of an org_domain. */
export type AdmittedUpdate = AllowedUpdate & { orgDomain: string | null; configuration: AgentConfiguration };

/**
 * The admin credential skips the rules of business, never the soundness of a key. Refusals: invalid_public_key,
 * capability_weights_exceeded, price_schedule_incomplete.
 */
export function admitUpdate(command: UpdateAgent, allowed: AllowedUpdate): AdmittedUpdate {
  const { agent, authority, live } = allowed;
  if (command.publicKey != null) ensureSoundPublicKey(command.publicKey);
  const configuration = configurationAfter(command, agent, live);
  if (!authority.isAdmin) ensureAdmissibleConfiguration(command, agent.configuration, configuration);
  return { ...allowed, orgDomain: orgDomainAfter(command, agent, authority), configuration };
}

/** An event for each kind of thing that changes and none for what stays as it is. Refuses with `org_domain_taken`. */
export function completeUpdate(
  command: UpdateAgent,
  { agent, authority, orgDomain, configuration }: AdmittedUpdate,
): AgentEvent[] {
  const adopted = adoption(command, agent, authority);
  const orgName = orgNameAfter(command, agent, authority);
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

/**
 * Writes the fields that a request names, in three steps, between which a service looks up what the next one needs. Refusals: those of
 * `ensureUpdateAllowed`, `admitUpdate` and `completeUpdate`, in this order.
 */
export function updateAgent(command: UpdateAgent, state: AgentState): AgentEvent[] {
  return completeUpdate(command, admitUpdate(command, ensureUpdateAllowed(command, state)));
}

const contactAfter = ({ contact: named }: UpdateAgent, { contact }: RegisteredAgent): SealedContact => {
  const { contactInfo = contact.contactInfo, contactEmail = contact.contactEmail } = named;
  return { contactInfo, contactEmail };
};

/** A key takes the place of any other, null takes the key away; the bearer key stays. */
const publicKeyChange = ({ publicKey, now }: UpdateAgent, agent: RegisteredAgent): PublicKeyReplaced[] =>
  publicKey === undefined || publicKey === agent.publicKey
    ? []
    : [{ type: 'PublicKeyReplaced', data: { agentId: agent.agentId, publicKey, replacedAt: now } }];
