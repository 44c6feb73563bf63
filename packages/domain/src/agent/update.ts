import {
  type AgentConfiguration,
  type AgentEvent,
  DomainError,
  type PublicKeyReplaced,
  sameUniverse,
  type SealedContact,
  type UpdateCredentials,
} from '@agent-trust/contracts';
import { ensureInService } from './block.ts';
import type { UpdateAgent } from './commands.ts';
import { ensureConfirmedPair } from './pairs.ts';
import { contactChange } from './personal-data.ts';
import { confirmationsAnswered, ensureNoOrgFields, ensureSoundPublicKey } from './register.ts';
import { type AgentState, ensureRegisteredAgent, type RegisteredAgent } from './state.ts';
import {
  adoption,
  configurationAfter,
  configurationChange,
  ensureAdmissibleConfiguration,
  orgDomainAfter,
  orgDomainChange,
  orgNameAfter,
  orgNameChange,
  type UpdateAuthority,
} from './updated-fields.ts';

/** An update that its credentials allow. `live` is the agent that its configuration is pulled from, or null. */
export type AllowedUpdate = { agent: RegisteredAgent; authority: UpdateAuthority; live: RegisteredAgent | null };

/**
 * Checks the credentials before anything else. Refusals: agent_not_found, sandbox_key_required, not_owner, wrong_universe,
 * agent_suspended, agent_retired, org_fields_forbidden, not_a_confirmed_pair.
 */
export function ensureUpdateAllowed(command: UpdateAgent, state: AgentState): AllowedUpdate {
  const { agentId, credentials, pull } = command;
  const agent = ensureRegisteredAgent(agentId, state, isVisible(agentId, credentials, state));
  if (pull !== null && credentials.organisation?.universe.kind !== 'sandbox') {
    throw new DomainError(
      'sandbox_key_required',
      "pull_from_agent_id needs an organisation's sandbox key in X-API-KEY",
    );
  }
  const authority = ensureMayUpdate(agent, credentials);
  if (!authority.isAdmin) ensureInService(agent);
  if (!authority.isAdmin && authority.organisation === null) {
    ensureNoOrgFields(command.orgName ?? null, command.orgDomain ?? null);
  }
  return { agent, authority, live: pull === null ? null : ensureConfirmedPair(agent, pull.fromAgentId, pull.state) };
}

/** A sandbox agent is visible to itself, to its organisation with either key, and to the admin. */
const isVisible = (agentId: string, credentials: UpdateCredentials, state: AgentState): boolean =>
  state.kind === 'registered' &&
  (state.universe.kind === 'production' ||
    credentials.admin ||
    credentials.agentId === agentId ||
    credentials.organisation?.orgId === state.orgId);

/**
 * Checks who may update an agent; all credentials are valid ones.
 *
 * - An organisation's key must belong to the agent's organisation and universe, or adopt a live agent without an organisation, together
 *   with the agent's own or the admin credential. A key that does neither is refused even beside other credentials.
 * - Without such a key the agent's own credential or the admin's is needed. Another agent's, which a client may always send, is ignored.
 *
 * Refusals: not_owner, wrong_universe.
 */
const ensureMayUpdate = (agent: RegisteredAgent, credentials: UpdateCredentials): UpdateAuthority => {
  const { organisation, admin } = credentials;
  const isItself = credentials.agentId === agent.agentId;
  if (organisation === null) {
    if (!admin && !isItself) throw notOwner(agent, 'the credential does not belong to it');
    return { isAdmin: admin, organisation: null };
  }
  if (organisation.orgId === agent.orgId) {
    if (sameUniverse(agent.universe, organisation.universe)) return { isAdmin: admin, organisation };
    throw new DomainError(
      'wrong_universe',
      `agent ${JSON.stringify(agent.agentId)} lives in ${agent.universe.kind}, this API key is for ${organisation.universe.kind}`,
    );
  }
  const isAdoption = agent.orgId === null && organisation.universe.kind === 'production' && (admin || isItself);
  if (!isAdoption) throw notOwner(agent, 'the organisation of this API key does not own it');
  return { isAdmin: admin, organisation };
};

const notOwner = ({ agentId }: RegisteredAgent, why: string): DomainError =>
  new DomainError('not_owner', `agent ${JSON.stringify(agentId)} may not be updated: ${why}`);

/** The result of an allowed update, checked by the rules that need canonical capabilities but no reservation. */
export type AdmittedUpdate = AllowedUpdate & { orgDomain: string | null; configuration: AgentConfiguration };

/**
 * The admin credential skips the business rules, never the check of the public key. Refusals: invalid_public_key,
 * capability_weights_exceeded, price_schedule_incomplete.
 */
export function admitUpdate(command: UpdateAgent, allowed: AllowedUpdate): AdmittedUpdate {
  const { agent, authority, live } = allowed;
  if (command.publicKey != null) ensureSoundPublicKey(command.publicKey);
  const configuration = configurationAfter(command, agent, live);
  if (!authority.isAdmin) ensureAdmissibleConfiguration(command, agent.configuration, configuration);
  return { ...allowed, orgDomain: orgDomainAfter(command, agent, authority), configuration };
}

/** One event for each kind of change, none for what stays. Refuses with `org_domain_taken`. */
export function completeUpdate(
  command: UpdateAgent,
  { agent, authority, orgDomain, configuration }: AdmittedUpdate,
): AgentEvent[] {
  const adopted = adoption(command, agent, authority);
  const orgName = orgNameAfter(command, agent, authority);
  return [
    ...adopted,
    // An adoption contains the name already.
    ...(adopted.length > 0 ? [] : orgNameChange(command, agent, orgName)),
    ...orgDomainChange(command, agent, orgDomain),
    ...contactChange(agent, contactAfter(command, agent), command.now),
    ...publicKeyChange(command, agent),
    ...configurationChange(command, agent.configuration, configuration),
    ...confirmationsAnswered(agent.agentId, agent.universe, command.answered, command.now),
  ];
}

/** Updates an agent in three steps; between them, a service looks up what the next step needs. Refusals: those of the steps, in their order. */
export function updateAgent(command: UpdateAgent, state: AgentState): AgentEvent[] {
  return completeUpdate(command, admitUpdate(command, ensureUpdateAllowed(command, state)));
}

const contactAfter = ({ contact: named }: UpdateAgent, { contact }: RegisteredAgent): SealedContact => {
  const { contactInfo = contact.contactInfo, contactEmail = contact.contactEmail } = named;
  return { contactInfo, contactEmail };
};

/** A key replaces any other, null removes it; the bearer key stays. */
const publicKeyChange = ({ publicKey, now }: UpdateAgent, agent: RegisteredAgent): PublicKeyReplaced[] =>
  publicKey === undefined || publicKey === agent.publicKey
    ? []
    : [{ type: 'PublicKeyReplaced', data: { agentId: agent.agentId, publicKey, replacedAt: now } }];
