import { type AgentPublished, type AgentWithdrawn, production, type Universe } from '@agent-trust/contracts';
import type { MoveAgent } from '../commands.ts';
import type { AgentState } from '../state.ts';
import { ensureElsewhere } from './a-move-leads-elsewhere.ts';
import { ensureOwnAgent } from './agent-of-the-organisation.ts';
import { ensureUnpaired } from './clone-paired-agents-stay.ts';

/** Moves a sandbox agent into production under its own id. Refusals, in this order: agent_not_found, clone_paired, already_in_universe. */
export function publishAgent(command: MoveAgent, state: AgentState): AgentPublished[] {
  ensureMovable(command, state, production);
  const { agentId, orgId, now } = command;
  return [{ type: 'AgentPublished', data: { agentId, orgId, publishedAt: now } }];
}

/** Moves a live agent into its organisation's sandbox under its own id. Refusals as of `publishAgent`. */
export function withdrawAgent(command: MoveAgent, state: AgentState): AgentWithdrawn[] {
  const { agentId, orgId, now } = command;
  ensureMovable(command, state, { kind: 'sandbox', orgId });
  return [{ type: 'AgentWithdrawn', data: { agentId, orgId, withdrawnAt: now } }];
}

const ensureMovable = ({ agentId, orgId, voidCloneId }: MoveAgent, state: AgentState, target: Universe): void => {
  const agent = ensureOwnAgent(agentId, orgId, state);
  ensureUnpaired(agent, voidCloneId);
  ensureElsewhere(agent, target);
};
