import { type replaceProductionKey as contract, organisationStream } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { orgNameOf } from '../organisation-name.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { organisationStreams } from '../stream-kinds.ts';

/** Replaces the production key that the request was made with; of many at once exactly one succeeds. */
export function replaceProductionKey(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, orgId, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const replaced = await runCommand(deps, running, organisationStreams, organisationStream(orgId), {
      ...input,
      type: 'ReplaceProductionKey',
      now: running.now,
    });
    return { orgName: orgNameOf(replaced.state), replacedAt: running.now, position: writtenPosition(replaced) };
  };
}
