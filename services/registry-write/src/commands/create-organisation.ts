import { createHash } from 'node:crypto';
import { type createOrganisation as contract, organisationStream } from '@agent-trust/contracts';
import { orgIdOfName } from '@agent-trust/domain';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { orgNameOf } from '../organisation-name.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { organisationStreams } from '../stream-kinds.ts';

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Creates an organisation; its id comes from its name, so its stream makes the name unique. */
export function createOrganisation(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const orgId = orgIdOfName(input.orgName, sha256Hex);
    const created = await runCommand(deps, running, organisationStreams, organisationStream(orgId), {
      ...input,
      type: 'CreateOrganisation',
      orgId,
      now: running.now,
    });
    const orgName = orgNameOf(created.state);
    return { orgId, orgName, createdAt: running.now, position: writtenPosition(created) };
  };
}
