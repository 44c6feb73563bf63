import { type revokeSandboxKey as contract, organisationStream } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { orgNameOf } from '../organisation-name.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { organisationStreams } from '../stream-kinds.ts';

/** Ends an organisation's sandbox key. */
export function revokeSandboxKey(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, orgId, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const revoked = await runCommand(deps, running, organisationStreams, organisationStream(orgId), {
      ...input,
      type: 'RevokeSandboxKey',
      now: running.now,
    });
    return { orgName: orgNameOf(revoked.state), revokedAt: running.now, position: writtenPosition(revoked) };
  };
}
