import { DomainError, type KeyRotated } from '@agent-trust/contracts';
import type { RotateBySignature } from '../commands.ts';
import type { AgentState } from '../state.ts';

/**
 * Mints a new bearer key on the word of a signature alone, without a claim link; from this event on the previous key fails. The gateway
 * has verified the signature with the agent's own key, which an agent that does not exist cannot have; and one that has another key by
 * now has taken back the one that signed. Both are told as a bad signature is (`invalid_credential`), so that nobody learns which ids
 * are taken. Links that are out stay good: they are the owner's, too.
 */
export function rotateBySignature(command: RotateBySignature, state: AgentState): KeyRotated[] {
  if (state.kind === 'unregistered') {
    throw new DomainError('invalid_credential', 'the signature is not one of a registered agent');
  }
  if (state.publicKey !== command.publicKey) {
    throw new DomainError('invalid_credential', 'the signature is not one of the public key that the agent has now');
  }
  return [
    {
      type: 'KeyRotated',
      data: {
        agentId: command.agentId,
        keyHash: command.newKeyHash,
        claimTokenHash: null,
        rotatedAt: command.now,
      },
    },
  ];
}
