import { agentStream } from '@agent-trust/contracts';
import { isVoidPairing, type RegisteredAgent } from '@agent-trust/domain';
import type { CommandDeps } from '../command-deps.ts';
import { readState } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/** The id that a live agent keeps its place for, when that can never become its clone; else null. */
export async function voidPairingOf(deps: CommandDeps, live: RegisteredAgent): Promise<string | null> {
  const { relatedAgentId } = live;
  if (relatedAgentId === null) return null;
  const holder = await readState(deps.log, agentStreams, agentStream(relatedAgentId));
  return isVoidPairing(live, holder) ? relatedAgentId : null;
}
