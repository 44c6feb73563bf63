import { agentStream, type rotateBySignature as contract } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/** Mints a new bearer key for an agent whose signature the gateway has verified. */
export function rotateBySignature(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const rotated = await runCommand(deps, running, agentStreams, agentStream(input.agentId), {
      ...input,
      type: 'RotateBySignature',
      now: running.now,
    });
    return { position: writtenPosition(rotated) };
  };
}
