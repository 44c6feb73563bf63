import { type deleteWebhook as contract, webhooksStream } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { webhookStreams } from '../stream-kinds.ts';

/** Ends a webhook of an organisation. */
export function deleteWebhook(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const deleted = await runCommand(deps, running, webhookStreams, webhooksStream(input.orgId), {
      ...input,
      type: 'DeleteWebhook',
      now: running.now,
    });
    return { deletedAt: running.now, position: writtenPosition(deleted) };
  };
}
