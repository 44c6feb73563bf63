import { agentStream } from '@agent-trust/contracts';
import {
  ensureCloneable,
  ensurePlaceForClone,
  ensureSandboxKey,
  isVoidPairing,
  type PairClone,
  type RegisterAgent,
  type RegisteredAgent,
} from '@agent-trust/domain';
import { type CommandDeps, readState, type RunningCommand } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/** A live agent to be cloned, and the command that reserves the place of its clone. */
type CloneSource = { live: RegisteredAgent; pairing: PairClone };

/**
 * Finds the agent to clone and checks the rules before anything is written; null for a registration that clones nothing. Refusals:
 * sandbox_key_required, agent_not_found, already_paired.
 */
export async function findCloneSource(
  deps: CommandDeps,
  { now }: RunningCommand,
  request: Pick<RegisterAgent, 'agentId' | 'credential'> & { cloneFromAgentId: string | null },
): Promise<CloneSource | null> {
  const { agentId: cloneAgentId, cloneFromAgentId: agentId, credential } = request;
  if (agentId === null) return null;
  const orgId = ensureSandboxKey(credential);
  const live = ensureCloneable(agentId, orgId, await readState(deps.log, agentStreams, agentStream(agentId)));
  const voidCloneId = await voidPairingOf(deps, live);
  ensurePlaceForClone(live, cloneAgentId, voidCloneId);
  return { live, pairing: { type: 'PairClone', agentId, cloneAgentId, orgId, voidCloneId, now } };
}

/** The id that holds a live agent's place and can never become its clone, or null. */
export async function voidPairingOf(deps: CommandDeps, live: RegisteredAgent): Promise<string | null> {
  const { relatedAgentId } = live;
  if (relatedAgentId === null) return null;
  const holder = await readState(deps.log, agentStreams, agentStream(relatedAgentId));
  return isVoidPairing(live, holder) ? relatedAgentId : null;
}
