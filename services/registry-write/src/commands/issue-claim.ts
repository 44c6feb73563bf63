import { agentStream, DomainError, type issueClaim as contract } from '@agent-trust/contracts';
import type { RegisteredAgent } from '@agent-trust/domain';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, runCommand, writtenPosition } from '../run-command.ts';
import { openContact } from '../personal-data/open-contact.ts';
import { agentStreams } from '../stream-kinds.ts';

/** Issues a claim link to whoever may ask for one. */
export function issueClaim(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const issued = await runCommand(deps, running, agentStreams, agentStream(input.agentId), {
      ...input,
      type: 'IssueClaim',
      claimTtlSeconds: deps.claimTtlSeconds,
      now: running.now,
    });
    const [event] = issued.events;
    if (event?.type !== 'ClaimIssued' || issued.state.kind !== 'registered') throw new Error('no claim was issued');
    const contactEmail = input.authority.kind === 'uncredentialed' ? await addressFor(deps, issued.state) : null;
    return {
      position: writtenPosition(issued),
      expiresAt: event.data.expiresAt,
      contactEmail,
    };
  };
}

/**
 * Where a stranger's link may be sent. An erasure whose event is still to come has destroyed the key already: then there is no address, and
 * the claim that was issued is nobody's, for no answer tells its token.
 */
const addressFor = async (deps: CommandDeps, { agentId, contact }: RegisteredAgent): Promise<string> => {
  const address = await openContact(deps.contactKeys, 'contactEmail', contact.contactEmail);
  if (address !== null) return address;
  throw new DomainError(
    'contact_email_missing',
    `agent ${JSON.stringify(agentId)} has no contact_email on file; rotate with a signature, its organisation's key or the admin credential`,
  );
};
