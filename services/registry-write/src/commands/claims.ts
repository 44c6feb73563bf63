import { agentBlocked, agentStream, organisationStream } from '@agent-trust/contracts';
import { type AgentState, contactEmailMissing, type RegisteredAgent } from '@agent-trust/domain';
import { openContact } from '../personal-data.ts';
import { type CommandDeps, type CommandHandlers, readState, runSingle } from '../run-command.ts';
import { agentStreams, organisationStreams } from '../stream-kinds.ts';

/** Claim links and bearer keys: exactly one of many concurrent uses of a token succeeds. */
export function claimCommands(
  deps: CommandDeps,
): Pick<CommandHandlers, 'issueClaim' | 'redeemClaim' | 'rotateBySignature'> {
  return {
    issueClaim: async ({ actor, ...input }, context) => {
      const stream = agentStream(input.agentId);
      // Whoever has another credential was refused by the gateway.
      if (input.authority.kind === 'uncredentialed') await ensureOrganisationInService(deps, input.agentId);
      const command = (now: string) =>
        ({ ...input, type: 'IssueClaim', claimTtlSeconds: deps.claimTtlSeconds, now }) as const;
      const { state, events, position } = await runSingle(deps, { actor, context }, agentStreams, stream, command);
      const [event] = events;
      if (event?.type !== 'ClaimIssued' || state.kind !== 'registered') throw new Error('no claim was issued');
      const contactEmail = input.authority.kind === 'uncredentialed' ? await addressFor(deps, state) : null;
      return { position, expiresAt: event.data.expiresAt, contactEmail };
    },
    redeemClaim: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'RedeemClaim', now }) as const;
      const stream = agentStream(input.agentId);
      await ensureOrganisationInService(deps, input.agentId, input.claimTokenHash);
      const { position } = await runSingle(deps, { actor, context }, agentStreams, stream, command);
      return { position };
    },
    /** The gateway has verified the signature. */
    rotateBySignature: async ({ actor, ...input }, context) => {
      const command = (now: string) => ({ ...input, type: 'RotateBySignature', now }) as const;
      const stream = agentStream(input.agentId);
      const { position } = await runSingle(deps, { actor, context }, agentStreams, stream, command);
      return { position };
    },
  };
}

/**
 * Agents of a disabled organisation count as suspended: nobody gets a key of one. With `tokenHash`, that is said only to who has a claim of the
 * agent. Refuses with agent_suspended.
 */
const ensureOrganisationInService = async (deps: CommandDeps, agentId: string, tokenHash?: string): Promise<void> => {
  const stream = agentStream(agentId);
  // What is known may lack that the agent was adopted since: a key of it then is of no use either, until its organisation is enabled.
  const agent = deps.known.get<AgentState>(stream)?.state ?? (await readState(deps.log, agentStreams, stream));
  if (agent.kind === 'unregistered' || agent.orgId === null) return;
  if (tokenHash !== undefined && !agent.pendingClaims.some((claim) => claim.tokenHash === tokenHash)) return;
  const organisation = await readState(deps.log, organisationStreams, organisationStream(agent.orgId));
  if (organisation.kind === 'created' && organisation.disabled !== null) throw agentBlocked(agentId, 'suspended');
};

/**
 * The address for an anonymous caller's link. An erasure destroys the key before it writes its event: then there is no address, and the
 * issued claim is unusable because no answer contains its token.
 */
const addressFor = async (deps: CommandDeps, { agentId, contact }: RegisteredAgent): Promise<string> => {
  const address = await openContact(deps.contactKeys, 'contactEmail', contact.contactEmail);
  if (address === null) throw contactEmailMissing(agentId);
  return address;
};
