import { agentStream, type redeemClaim as contract } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/** Trades a claim token for a new bearer key; of many at once exactly one succeeds. */
export function redeemClaim(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const redeemed = await runCommand(deps, running, agentStreams, agentStream(input.agentId), {
      ...input,
      type: 'RedeemClaim',
      now: running.now,
    });
    return { position: writtenPosition(redeemed) };
  };
}
