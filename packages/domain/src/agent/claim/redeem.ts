import type { KeyRotated } from '@agent-trust/contracts';
import type { RedeemClaim } from '../commands.ts';
import type { AgentState } from '../state.ts';
import { claimOfToken } from './claim-token-is-single-use.ts';

/** Trades a claim token for a new bearer key; from this event on the previous key fails. Refusal: invalid_claim_token. */
export function redeemClaim(command: RedeemClaim, state: AgentState): KeyRotated[] {
  const claim = claimOfToken(state, command.claimTokenHash, command.now);
  return [
    {
      type: 'KeyRotated',
      data: {
        agentId: command.agentId,
        keyHash: command.newKeyHash,
        claimTokenHash: claim.tokenHash,
        rotatedAt: command.now,
      },
    },
  ];
}
