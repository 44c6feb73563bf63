import {
  type ClaimAuthority,
  type ClaimIssued,
  type ClaimReason,
  DomainError,
  type KeyRotated,
  sameUniverse,
} from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';
import { ensureInService } from './block.ts';
import type { IssueClaim, RedeemClaim, RotateBySignature } from './commands.ts';
import { isExpired, type PendingClaim } from './pending-claims.ts';
import { type AgentState, ensureRegisteredAgent } from './state.ts';

/**
 * Issues a claim link. Refusals: agent_not_found, contact_email_missing, invalid_rotation_credential, claim_by_owner_only, wrong_universe,
 * agent_suspended, agent_retired.
 */
export function issueClaim(command: IssueClaim, state: AgentState): ClaimIssued[] {
  ensureClaimAllowed(command.agentId, command.authority, state);
  if (command.authority.kind !== 'admin') ensureInService(ensureRegisteredAgent(command.agentId, state));
  return [claimIssued(command, command.authority.kind)];
}

/** The event of a claim link that is valid for `claimTtlSeconds` from `now`; 0 means that it never expires. */
export function claimIssued(
  { agentId, claimTokenHash, claimTtlSeconds, now }: Omit<IssueClaim, 'type' | 'authority'>,
  reason: ClaimReason,
): ClaimIssued {
  const expiresAt = claimTtlSeconds === 0 ? null : new Date(Date.parse(now) + claimTtlSeconds * 1000).toISOString();
  return { type: 'ClaimIssued', data: { agentId, claimTokenHash, reason, issuedAt: now, expiresAt } };
}

/** The rules of POST /rotate. Only the presented credential counts; none falls through to a weaker one. */
const ensureClaimAllowed = (agentId: string, authority: ClaimAuthority, state: AgentState): void => {
  switch (authority.kind) {
    case 'organisation':
      return ensureOwnedByOrganisation(agentId, authority, state);
    case 'agent':
      if (authority.agentId !== agentId) {
        throw new DomainError(
          'invalid_rotation_credential',
          `the bearer key belongs to another agent than ${JSON.stringify(agentId)}`,
        );
      }
      ensureRegisteredAgent(agentId, state);
      return;
    case 'admin':
      ensureRegisteredAgent(agentId, state);
      return;
    case 'uncredentialed':
      return ensurePublicWithContactEmail(agentId, state, authority.unownedOnly);
    default:
      return unreachable(authority);
  }
};

/** An unknown agent counts as one that the organisation does not own: the answer must not reveal which ids are taken. */
const ensureOwnedByOrganisation = (
  agentId: string,
  authority: Extract<ClaimAuthority, { kind: 'organisation' }>,
  state: AgentState,
): void => {
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

/** To a caller without a credential, a sandbox agent is unknown. */
const ensurePublicWithContactEmail = (agentId: string, state: AgentState, unownedOnly: boolean): void => {
  const isPublic = state.kind === 'registered' && state.universe.kind === 'production';
  const agent = ensureRegisteredAgent(agentId, state, isPublic);
  if (unownedOnly && agent.orgId !== null) {
    throw new DomainError(
      'claim_by_owner_only',
      `agent ${JSON.stringify(agentId)} belongs to an organisation; rotate with a signature, the agent's or organisation's key or the admin credential`,
    );
  }
  if (agent.contact.contactEmail === null) throw contactEmailMissing(agentId);
};

export function contactEmailMissing(agentId: string): DomainError {
  return new DomainError(
    'contact_email_missing',
    `agent ${JSON.stringify(agentId)} has no contact_email on file; rotate with a signature, its organisation's key or the admin credential`,
  );
}

/**
 * Exchanges a claim token for a new bearer key; the previous key stops working. Refusals: invalid_claim_token, and to who has a valid one,
 * agent_suspended and agent_retired.
 */
export function redeemClaim(command: RedeemClaim, state: AgentState): KeyRotated[] {
  const { tokenHash } = claimOfToken(state, command.claimTokenHash, command.now);
  ensureInService(ensureRegisteredAgent(command.agentId, state));
  return [keyRotated(command, tokenHash)];
}

/**
 * A claim token is single-use: redeeming removes the claim from the state at one expected revision of the stream, so exactly one of many
 * concurrent redemptions finds it. Unknown, used and expired tokens and unknown agents get the same refusal, which must not reveal which
 * agents or links exist.
 */
const claimOfToken = (state: AgentState, tokenHash: string, now: string): PendingClaim => {
  const claims = state.kind === 'registered' ? state.pendingClaims : [];
  const claim = claims.find((pending) => pending.tokenHash === tokenHash);
  if (claim === undefined || isExpired(claim, now)) {
    throw new DomainError(
      'invalid_claim_token',
      'the claim token is not valid: it is unknown, expired or was used already',
    );
  }
  return claim;
};

/**
 * Sets a new bearer key on the strength of a signature alone; the previous key stops working, pending claim links stay valid. The gateway
 * verified the signature with `publicKey`; if the agent has another key by now, its owner has revoked that one. An unknown agent gets the
 * answer of a bad signature (`invalid_credential`), which must not reveal which ids are taken. Further refusals: agent_suspended, agent_retired.
 */
export function rotateBySignature(command: RotateBySignature, state: AgentState): KeyRotated[] {
  if (state.kind === 'unregistered') {
    throw new DomainError('invalid_credential', 'the signature is not one of a registered agent');
  }
  if (state.publicKey !== command.publicKey) {
    throw new DomainError('invalid_credential', "the signature does not match the agent's current public key");
  }
  ensureInService(state);
  return [keyRotated(command, null)];
}

const keyRotated = (
  { agentId, newKeyHash, now }: RedeemClaim | RotateBySignature,
  claimTokenHash: string | null,
): KeyRotated => ({ type: 'KeyRotated', data: { agentId, keyHash: newKeyHash, claimTokenHash, rotatedAt: now } });
