import { capabilityAliasStream } from '@agent-trust/contracts';
import { beginCommand, type CommandDeps, type CommandHandlers, runCommand, writtenPosition } from '../run-command.ts';
import { capabilityAliasStreams } from '../stream-kinds.ts';

/** What the operator says of aliases. */
export function capabilityAliasCommands(
  deps: CommandDeps,
): Pick<CommandHandlers, 'confirmCapabilityAlias' | 'undoCapabilityAlias'> {
  return {
    confirmCapabilityAlias: async ({ actor, ...input }, context) => {
      const running = beginCommand(deps, actor, context);
      const command = { type: 'ConfirmCapabilityAlias', ...input, now: running.now } as const;
      const stream = capabilityAliasStream(input.alias);
      return { position: writtenPosition(await runCommand(deps, running, capabilityAliasStreams, stream, command)) };
    },
    undoCapabilityAlias: async ({ actor, ...input }, context) => {
      const running = beginCommand(deps, actor, context);
      const command = { type: 'UndoCapabilityAlias', ...input, now: running.now } as const;
      const stream = capabilityAliasStream(input.alias);
      return { position: writtenPosition(await runCommand(deps, running, capabilityAliasStreams, stream, command)) };
    },
  };
}
