import { DomainError } from '@agent-trust/contracts';
import type { AgentState } from '../state.ts';
import { isExpired, type PendingClaim } from './pending-claims.ts';

/**
 * Finds the waiting claim that a token redeems. Redeeming removes it from the agent's state, and both happen at one expected
 * revision of the agent's stream, so of many concurrent redemptions exactly one finds it.
 *
 * Unknown, used and expired tokens, and an agent that does not exist, are one refusal with one text (`invalid_claim_token`):
 * nobody may learn from it which agents exist or which links are out.
 */
export function claimOfToken(state: AgentState, tokenHash: string, now: string): PendingClaim {
  const claims = state.kind === 'registered' ? state.pendingClaims : [];
  const claim = claims.find((pending) => pending.tokenHash === tokenHash);
  if (claim === undefined || isExpired(claim, now)) {
    throw new DomainError(
      'invalid_claim_token',
      'the claim token is not valid: it is unknown, expired or was used already',
    );
  }
  return claim;
}
