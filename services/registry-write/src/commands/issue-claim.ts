import { agentStream, type issueClaim as contract } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/** Issues a claim link to whoever may ask for one. */
export const issueClaim =
  (deps: CommandDeps): UnaryHandler<typeof contract> =>
  async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const issued = await runCommand(deps, running, agentStreams, agentStream(input.agentId), {
      ...input,
      type: 'IssueClaim',
      claimTtlSeconds: deps.claimTtlSeconds,
      now: running.now,
    });
    const [event] = issued.events;
    if (event?.type !== 'ClaimIssued' || issued.state.kind !== 'registered') throw new Error('no claim was issued');
    const isStrangers = input.authority.kind === 'uncredentialed';
    return {
      position: writtenPosition(issued),
      expiresAt: event.data.expiresAt,
      contactEmail: isStrangers ? issued.state.contact.contactEmail : null,
    };
  };
