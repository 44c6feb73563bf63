import type { AgentEvent } from '@agent-trust/contracts';
import { type Decider, unreachable } from '../decider.ts';
import { reinstateAgent, retireAgent, suspendAgent } from './block.ts';
import { issueClaim, redeemClaim, rotateBySignature } from './claims.ts';
import type { AgentCommand } from './commands.ts';
import { erasePersonalData, resealContact } from './personal-data.ts';
import { lapseReservation, yieldOrgDomain } from './org-domain.ts';
import { registerAgent } from './register.ts';
import { pairClone } from './pairs.ts';
import { type AgentState, evolveAgent, initialAgentState } from './state.ts';
import { publishAgent, withdrawAgent } from './move.ts';
import { promoteAgent } from './promote.ts';
import { updateAgent } from './update.ts';
import { voidReviews } from './void-reviews.ts';

const decide = (command: AgentCommand, state: AgentState): AgentEvent[] => {
  switch (command.type) {
    case 'RegisterAgent':
      return registerAgent(command, state);
    case 'UpdateAgent':
      return updateAgent(command, state);
    case 'PairClone':
      return pairClone(command, state);
    case 'PublishAgent':
      return publishAgent(command, state);
    case 'WithdrawAgent':
      return withdrawAgent(command, state);
    case 'PromoteAgent':
      return promoteAgent(command, state);
    case 'IssueClaim':
      return issueClaim(command, state);
    case 'RedeemClaim':
      return redeemClaim(command, state);
    case 'RotateBySignature':
      return rotateBySignature(command, state);
    case 'LapseOrgDomainReservation':
      return lapseReservation(command, state);
    case 'YieldOrgDomain':
      return yieldOrgDomain(command, state);
    case 'ErasePersonalData':
      return erasePersonalData(command, state);
    case 'ResealContact':
      return resealContact(command, state);
    case 'SuspendAgent':
      return suspendAgent(command, state);
    case 'ReinstateAgent':
      return reinstateAgent(command, state);
    case 'RetireAgent':
      return retireAgent(command, state);
    case 'VoidReviews':
      return voidReviews(command, state);
    default:
      return unreachable(command);
  }
};

/** The rules of an agent's stream (`agentStream(agentId)`). */
export const agentDecider: Decider<AgentCommand, AgentState, AgentEvent> = {
  initialState: initialAgentState,
  evolve: evolveAgent,
  decide,
};
