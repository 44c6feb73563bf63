import { agentStream } from '@agent-trust/contracts';
import type { RegisteredAgent } from '@agent-trust/domain';
import { type CommandDeps, type CommandHandlers, runSingle } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/** Takes agents out of service and back. Repeated, each answers what holds. */
export function blockCommands(
  deps: CommandDeps,
): Pick<CommandHandlers, 'suspendAgent' | 'reinstateAgent' | 'retireAgent'> {
  return {
    suspendAgent: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'SuspendAgent', now }) as const;
      const stream = agentStream(input.agentId);
      const { state, position } = await runSingle(deps, { actor, context }, agentStreams, stream, command);
      const { suspension } = state as RegisteredAgent;
      if (suspension === null) throw new Error('an agent is not suspended after a command suspended it');
      return { ...suspension, position };
    },
    reinstateAgent: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'ReinstateAgent', now }) as const;
      const stream = agentStream(input.agentId);
      const { position } = await runSingle(deps, { actor, context }, agentStreams, stream, command);
      return { position };
    },
    retireAgent: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'RetireAgent', now }) as const;
      const stream = agentStream(input.agentId);
      const { state, position } = await runSingle(deps, { actor, context }, agentStreams, stream, command);
      const { retiredAt } = state as RegisteredAgent;
      if (retiredAt === null) throw new Error('an agent is in service after a command retired it');
      return { retiredAt, position };
    },
  };
}
