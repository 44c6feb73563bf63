import { type registerWebhook as contract, webhooksStream } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { webhookStreams } from '../stream-kinds.ts';

/** Registers a webhook; of many at once no more succeed than an organisation may have. */
export function registerWebhook(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const registered = await runCommand(deps, running, webhookStreams, webhooksStream(input.orgId), {
      ...input,
      type: 'RegisterWebhook',
      now: running.now,
    });
    return { registeredAt: running.now, position: writtenPosition(registered) };
  };
}
