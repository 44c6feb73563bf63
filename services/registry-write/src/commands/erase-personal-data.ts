import { agentStream, DomainError, type erasePersonalData as contract } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, readState, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/**
 * Destroys the key of an agent's contact, then records it. In this order: an event that came first would promise what a crash could
 * prevent. A crash in between leaves a contact that opens for nobody; the same request, repeated, finds which key is gone and records it.
 */
export function erasePersonalData(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, agentId }, context) => {
    const running = beginCommand(deps, actor, context);
    const stream = agentStream(agentId);
    if ((await readState(deps.log, agentStreams, stream)).kind === 'unregistered') {
      throw new DomainError('agent_not_found', `agent ${JSON.stringify(agentId)} is not registered`);
    }
    const destroyed = await deps.contactKeys.destroy(agentId);
    // Read again: what was written with the key before it was destroyed is in it now, and so are keys that an erasure lost in a crash.
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
