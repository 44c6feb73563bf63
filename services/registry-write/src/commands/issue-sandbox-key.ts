import { type issueSandboxKey as contract, organisationStream } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { orgNameOf } from '../organisation-name.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { organisationStreams } from '../stream-kinds.ts';

/** Gives an organisation a sandbox key; of many at once exactly one succeeds. */
export function issueSandboxKey(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, orgId, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const issued = await runCommand(deps, running, organisationStreams, organisationStream(orgId), {
      ...input,
      type: 'IssueSandboxKey',
      now: running.now,
    });
    return { orgName: orgNameOf(issued.state), createdAt: running.now, position: writtenPosition(issued) };
  };
}
