import { operatorKeysStream } from '@agent-trust/contracts';
import { findOperatorKey } from '@agent-trust/domain';
import { type CommandDeps, type CommandHandlers, runSingle } from '../run-command.ts';
import { operatorKeyStreams } from '../stream-kinds.ts';

/** Commands to the stream of the operators' keys. */
export function operatorKeyCommands(
  deps: CommandDeps,
): Pick<CommandHandlers, 'createOperatorKey' | 'revokeOperatorKey'> {
  return {
    createOperatorKey: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'CreateOperatorKey', now }) as const;
      const by = { actor, context };
      const { state, now, position } = await runSingle(deps, by, operatorKeyStreams, operatorKeysStream, command);
      const { expiresAt } = findOperatorKey(state, input.operatorKeyId);
      return { createdAt: now, expiresAt, position };
    },
    revokeOperatorKey: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'RevokeOperatorKey', now }) as const;
      const by = { actor, context };
      const { state, position } = await runSingle(deps, by, operatorKeyStreams, operatorKeysStream, command);
      const { operatorKeyId, name, revoked } = findOperatorKey(state, input.key);
      if (revoked === null) throw new Error("an operator's key works after a command revoked it");
      return { operatorKeyId, name, ...revoked, position };
    },
  };
}
