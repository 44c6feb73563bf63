import { agentStream, type publishAgent as publish, type withdrawAgent as withdraw } from '@agent-trust/contracts';
import type { MoveAgent } from '@agent-trust/domain';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, readState, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';
import { voidPairingOf } from './void-pairing.ts';

type Handler = UnaryHandler<typeof publish> & UnaryHandler<typeof withdraw>;

/** Moves an agent between the sandbox and production; of two moves at once the second meets the first. */
const moveAgent =
  (deps: CommandDeps, type: MoveAgent['type']): Handler =>
  async ({ actor, agentId, orgId }, context) => {
    const running = beginCommand(deps, actor, context);
    const stream = agentStream(agentId);
    const agent = await readState(deps.log, agentStreams, stream);
    const voidCloneId = agent.kind === 'registered' ? await voidPairingOf(deps, agent) : null;
    const moved = await runCommand(deps, running, agentStreams, stream, {
      type,
      agentId,
      orgId,
      voidCloneId,
      now: running.now,
    });
    return { movedAt: running.now, position: writtenPosition(moved) };
  };

export function publishAgent(deps: CommandDeps): UnaryHandler<typeof publish> {
  return moveAgent(deps, 'PublishAgent');
}
export function withdrawAgent(deps: CommandDeps): UnaryHandler<typeof withdraw> {
  return moveAgent(deps, 'WithdrawAgent');
}
