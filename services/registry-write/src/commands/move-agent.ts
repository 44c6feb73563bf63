import { agentStream, type publishAgent as publish, type withdrawAgent as withdraw } from '@agent-trust/contracts';
import type { MoveAgent } from '@agent-trust/domain';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import { type CommandDeps, readState, runSingle } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';
import { voidPairingOf } from './clone-source.ts';

/** Moves an agent between the sandbox and production; of two concurrent moves the second is refused. */
export function moveAgent(
  deps: CommandDeps,
  type: MoveAgent['type'],
): UnaryHandler<typeof publish> & UnaryHandler<typeof withdraw> {
  return async ({ actor, agentId, orgId }, context) => {
    const stream = agentStream(agentId);
    const agent = await readState(deps.log, agentStreams, stream);
    const voidCloneId = agent.kind === 'registered' ? await voidPairingOf(deps, agent) : null;
    const command = (now: string): MoveAgent => ({ type, agentId, orgId, voidCloneId, now });
    const { now, position } = await runSingle(deps, { actor, context }, agentStreams, stream, command);
    return { movedAt: now, position };
  };
}
