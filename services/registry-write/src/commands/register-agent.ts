import { type AgentEvent, agentStream, type registerAgent as contract } from '@agent-trust/contracts';
import {
  admitRegistration,
  type AdmittedRegistration,
  type AgentState,
  completeRegistration,
  confirmRegistration,
  defaultConfiguration,
  patchConfiguration,
  type RegisterAgent,
  type RegisteredAgent,
  type RegistrationRequest,
} from '@agent-trust/domain';
import type { HandledCommand, StreamRead } from '@agent-trust/event-log';
import type { Received, Sent, UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { keepContact } from '../personal-data/keep-contact.ts';
import { sealContact } from '../personal-data/seal-contact.ts';
import { beginCommand, onceOnly, type RunningCommand, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';
import { confirmAgainstTaxonomy } from './confirm-against-taxonomy.ts';
import { findCloneSource } from './find-clone-source.ts';
import { ensureOrgDomainAvailable, type ReservationRequest, reserveOrgDomain } from './reserve-org-domain.ts';

type Input = Omit<Received<(typeof contract)['input']>, 'actor'>;
type Output = Sent<(typeof contract)['output']>;

/**
 * Registers an agent. What is refused is refused before anything is written; a question about its capabilities comes after all refusals.
 *
 * With an org_domain the domain is reserved first, and for a clone the place in the live agent's stream is kept. A crash in between
 * leaves a reservation that the same registration goes on with when it is repeated, and that anyone else may take over after its lease;
 * and a place that only the same registration can take.
 */
export function registerAgent(deps: CommandDeps): UnaryHandler<typeof contract> {
  return ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const stream = agentStream(input.agentId);
    const answer = registered(deps, running, input);
    return onceOnly(deps, input.commandId, agentStreams, stream, answer, (read) =>
      register(deps, running, input, read),
    );
  };
}

const register = async (
  deps: CommandDeps,
  running: RunningCommand,
  input: Input,
  read: StreamRead<AgentState>,
): Promise<Output> => {
  const source = await findCloneSource(deps, running, input);
  const admitted = admitRegistration(requestOf(deps, running, input, source?.live ?? null), read.state);
  const confirmation = await confirmAgainstTaxonomy(deps, running, {
    universe: admitted.standing.universe,
    capabilities: admitted.request.configuration.capabilities,
    // What a clone copies was settled when the live agent got it.
    isTakenAsGiven: () => input.credential.kind === 'admin' || input.configuration.capabilities === undefined,
    answers: input,
  });
  const reservation = reservationOf(admitted);
  if (confirmation.outcome === 'confirmation_required') {
    const { settled, ...question } = confirmation;
    confirmRegistration(admitted, { capabilities: settled, answered: [] });
    if (reservation !== null) await ensureOrgDomainAvailable(deps, running, reservation);
    return question;
  }
  const confirmed = confirmRegistration(admitted, confirmation);
  const held = reservation === null ? null : await reserveOrgDomain(deps, running, reservation);
  if (source !== null) {
    await runCommand(deps, running, agentStreams, agentStream(source.live.agentId), source.pairing);
  }
  const { contactInfo = null, contactEmail = null } = await sealContact(deps.contactKeys, input.agentId, input.contact);
  const { capabilities, answered } = confirmed;
  const command: RegisterAgent = {
    ...admitted.request,
    type: 'RegisterAgent',
    configuration: { ...admitted.request.configuration, capabilities },
    answered,
    contact: { contactInfo, contactEmail },
    reservation: held,
  };
  const handled = await runCommand(deps, running, agentStreams, agentStream(input.agentId), command, {
    commandId: input.commandId,
    decided: { read, events: completeRegistration(confirmed, command) },
  });
  return registered(deps, running, input)(handled);
};

const registered =
  (deps: CommandDeps, running: RunningCommand, { contact: named }: Input) =>
  async (handled: HandledCommand<AgentState, AgentEvent>): Promise<Output> => {
    const event = handled.events.find(({ type }) => type === 'AgentRegistered');
    if (event?.type !== 'AgentRegistered' || handled.state.kind !== 'registered') {
      throw new Error('a registration that was carried out has registered nobody');
    }
    const { agentId, contact } = event.data;
    const resealedAt = await keepContact(deps, running, { agentId, named, sealed: contact });
    return {
      outcome: 'registered',
      agentId: event.data.agentId,
      universe: handled.state.universe,
      registeredAt: event.data.registeredAt,
      position: resealedAt?.toString() ?? writtenPosition(handled),
    };
  };

const requestOf = (
  deps: CommandDeps,
  { now }: RunningCommand,
  input: Input,
  live: RegisteredAgent | null,
): RegistrationRequest => ({
  agentId: input.agentId,
  orgName: input.orgName,
  orgDomain: input.orgDomain,
  publicKey: input.publicKey,
  hasContactEmail: input.contact.contactEmail !== null,
  configuration: patchConfiguration(live?.configuration ?? defaultConfiguration, input.configuration),
  pairedWith: live?.agentId ?? null,
  credential: input.credential,
  claimTokenHash: input.claimTokenHash,
  claimTtlSeconds: deps.claimTtlSeconds,
  now,
});

/** A registration takes only a domain that nobody holds. */
const reservationOf = ({ request, agent, standing }: AdmittedRegistration): ReservationRequest | null => {
  const { agentId, orgDomain: domain } = request;
  if (domain === null) return null;
  const voidRevision = agent.lapsedReservations.find((lapsed) => lapsed.domain === domain)?.revision ?? null;
  return { domain, agentId, orgId: standing.orgId, mayShare: false, voidRevision };
};
