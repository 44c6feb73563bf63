import { agentStream } from '@agent-trust/contracts';
import {
  ensureCloneable,
  ensurePlaceForClone,
  ensureSandboxKey,
  type PairClone,
  type RegisterAgent,
  type RegisteredAgent,
} from '@agent-trust/domain';
import type { CommandDeps } from '../command-deps.ts';
import { readState, type RunningCommand } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';
import { voidPairingOf } from './void-pairing.ts';

/** A live agent that is about to be cloned, and the command that keeps the place of its clone. */
export type CloneSource = { live: RegisteredAgent; pairing: PairClone };

/**
 * Looks up what is to be cloned and holds the clone to the rules, so that what will be refused anyway keeps no place; writes nothing.
 * Null for a registration that clones nothing. Refusals: sandbox_key_required, agent_not_found, already_paired.
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
