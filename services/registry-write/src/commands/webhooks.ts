import { faultAt, webhooksStream } from '@agent-trust/contracts';
import { type CommandDeps, type CommandHandlers, runSingle } from '../run-command.ts';
import { webhookStreams } from '../stream-kinds.ts';

/** Commands to an organisation's stream of webhooks. */
export function webhookCommands(
  deps: CommandDeps,
): Pick<CommandHandlers, 'registerWebhook' | 'deleteWebhook' | 'replayWebhook'> {
  return {
    registerWebhook: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'RegisterWebhook', now }) as const;
      const stream = webhooksStream(input.orgId);
      const { now, position } = await runSingle(deps, { actor, context }, webhookStreams, stream, command);
      return { registeredAt: now, position };
    },
    deleteWebhook: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'DeleteWebhook', now }) as const;
      const stream = webhooksStream(input.orgId);
      const { now, position } = await runSingle(deps, { actor, context }, webhookStreams, stream, command);
      return { deletedAt: now, position };
    },
    /** Sends a webhook's messages again from a position on, which must not lie beyond the log's end. */
    replayWebhook: async ({ actor, ...input }, context) => {
      const head = (await deps.log.headPosition()) ?? 0n;
      if (BigInt(input.fromPosition) > head) {
        const detail = `must be a position of the log, which ends at ${head}`;
        throw faultAt('validation_failed', ['body', 'from_position'], detail);
      }
      const command = (now: string) => ({ ...input, type: 'ReplayWebhook', now }) as const;
      const stream = webhooksStream(input.orgId);
      const { now, position } = await runSingle(deps, { actor, context }, webhookStreams, stream, command);
      return { requestedAt: now, position };
    },
  };
}
