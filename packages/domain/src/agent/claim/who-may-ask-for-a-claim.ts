import { type ClaimAuthority, DomainError, sameUniverse } from '@agent-trust/contracts';
import { unreachable } from '../../decider.ts';
import type { AgentState, RegisteredAgent } from '../state.ts';

type Authority<Kind extends ClaimAuthority['kind']> = Extract<ClaimAuthority, { kind: Kind }>;

/**
 * Holds a request for a claim link to the rules of POST /rotate. Only the credential that was presented counts; none falls
 * through to a weaker one.
 */
export function ensureClaimAllowed(agentId: string, authority: ClaimAuthority, state: AgentState): void {
  switch (authority.kind) {
    case 'organisation':
      return ensureOwnedByOrganisation(agentId, authority, state);
    case 'agent':
      return ensureSameAgent(agentId, authority, state);
    case 'admin':
      ensureKnown(agentId, state);
      return;
    case 'uncredentialed':
      return ensurePublicWithContactEmail(agentId, state);
    default:
      return unreachable(authority);
  }
}

const notFound = (agentId: string): DomainError =>
  new DomainError('agent_not_found', `agent ${JSON.stringify(agentId)} is not registered`);

const ensureKnown = (agentId: string, state: AgentState): RegisteredAgent => {
  if (state.kind === 'unregistered') throw notFound(agentId);
  return state;
};

/** An agent that does not exist is one that the organisation does not own: a key is no means to ask which ids are taken. */
const ensureOwnedByOrganisation = (agentId: string, authority: Authority<'organisation'>, state: AgentState): void => {
  if (state.kind === 'unregistered' || state.orgId !== authority.orgId) {
    throw new DomainError(
      'invalid_rotation_credential',
      `the organisation of this API key does not own agent ${JSON.stringify(agentId)}`,
    );
  }
  if (!sameUniverse(state.universe, authority.universe)) {
    throw new DomainError(
      'wrong_universe',
      `agent ${JSON.stringify(agentId)} lives in ${state.universe.kind}, this API key is for ${authority.universe.kind}`,
    );
  }
};

const ensureSameAgent = (agentId: string, authority: Authority<'agent'>, state: AgentState): void => {
  if (authority.agentId !== agentId) {
    throw new DomainError(
      'invalid_rotation_credential',
      `the bearer key belongs to another agent than ${JSON.stringify(agentId)}`,
    );
  }
  ensureKnown(agentId, state);
};

/** Without a credential a sandbox agent is as good as unknown. */
const ensurePublicWithContactEmail = (agentId: string, state: AgentState): void => {
  const agent = ensureKnown(agentId, state);
  if (agent.universe.kind === 'sandbox') throw notFound(agentId);
  if (agent.contact.contactEmail === null) {
    throw new DomainError(
      'contact_email_missing',
      `agent ${JSON.stringify(agentId)} has no contact_email on file; rotate with a signature, its organisation's key or the admin credential`,
    );
  }
};
