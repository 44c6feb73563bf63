import { DomainError, type KeyRotated } from '@agent-trust/contracts';
import type { RotateBySignature } from '../commands.ts';
import type { AgentState } from '../state.ts';

/**
 * Mints a new bearer key on the word of a signature alone, without a claim link; from this event on the previous key fails. The gateway
 * has verified the signature with the agent's own key, which an agent that does not exist cannot have: so that is told as a bad
 * signature is (`invalid_credential`), and nobody learns which ids are taken. Links that are out stay good: they are the owner's, too.
 */
export const rotateBySignature = (command: RotateBySignature, state: AgentState): KeyRotated[] => {
  if (state.kind === 'unregistered') {
    throw new DomainError('invalid_credential', 'the signature is not one of a registered agent');
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
};
