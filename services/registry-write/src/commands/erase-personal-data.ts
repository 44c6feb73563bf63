import { agentStream, type erasePersonalData as contract } from '@agent-trust/contracts';
import { ensureRegisteredAgent } from '@agent-trust/domain';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import { beginCommand, type CommandDeps, readState, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/**
 * Destroys the key of an agent's contact and answers to reviews, then records it: an event before would promise what a crash could prevent. After a crash in
 * between nobody can open the contact; the same request, repeated, finds the destroyed key and records it.
 */
export function erasePersonalData(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, agentId }, context) => {
    const running = beginCommand(deps, actor, context);
    const stream = agentStream(agentId);
    ensureRegisteredAgent(agentId, await readState(deps.log, agentStreams, stream));
    const destroyed = await deps.contactKeys.destroy(agentId);
    // Read again: a text may have been written with the key meanwhile, and an earlier erasure may have crashed before its event.
    const state = await readState(deps.log, agentStreams, stream);
    const used = state.kind === 'registered' ? state.personalData.keyIds : [];
    const standing = await deps.contactKeys.standing(used);
    const erased = await runCommand(deps, running, agentStreams, stream, {
      type: 'ErasePersonalData',
      agentId,
      keyIds: [...destroyed, ...used.filter((keyId) => !standing.has(keyId))],
      now: running.now,
    });
    const erasedAt = erased.state.kind === 'registered' ? erased.state.personalData.erasedAt : null;
    return { position: writtenPosition(erased), erasedAt };
  };
}
