import { faultAt, type replayWebhook as contract, webhooksStream } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { webhookStreams } from '../stream-kinds.ts';

/** Has a webhook's consumer told once more of what happened from a position on. A position that is not yet is a mistake, and refused. */
export function replayWebhook(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const head = (await deps.log.headPosition()) ?? 0n;
    if (BigInt(input.fromPosition) > head) {
      throw faultAt(
        'validation_failed',
        ['body', 'from_position'],
        `must be a position of the log, which ends at ${head}`,
      );
    }
    const requested = await runCommand(deps, running, webhookStreams, webhooksStream(input.orgId), {
      ...input,
      type: 'ReplayWebhook',
      now: running.now,
    });
    return { requestedAt: running.now, position: writtenPosition(requested) };
  };
}
