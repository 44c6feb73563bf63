import type { ClaimIssued, ClaimReason } from '@agent-trust/contracts';
import type { IssueClaim } from '../commands.ts';
import type { AgentState } from '../state.ts';
import { ensureClaimAllowed } from './who-may-ask-for-a-claim.ts';

/** Issues a claim link. Refusals: agent_not_found, contact_email_missing, invalid_rotation_credential, wrong_universe. */
export function issueClaim(command: IssueClaim, state: AgentState): ClaimIssued[] {
  ensureClaimAllowed(command.agentId, command.authority, state);
  return [claimIssued(command, command.authority.kind)];
}

/** The event of a claim link that lives for `claimTtlSeconds` from `now`, or for ever when that is 0. */
export function claimIssued(
  command: { agentId: string; claimTokenHash: string; claimTtlSeconds: number; now: string },
  reason: ClaimReason,
): ClaimIssued {
  return {
    type: 'ClaimIssued',
    data: {
      agentId: command.agentId,
      claimTokenHash: command.claimTokenHash,
      reason,
      issuedAt: command.now,
      expiresAt:
        command.claimTtlSeconds === 0
          ? null
          : new Date(Date.parse(command.now) + command.claimTtlSeconds * 1000).toISOString(),
    },
  };
}
