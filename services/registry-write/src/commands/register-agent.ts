import { type AgentEvent, agentStream, type registerAgent as contract } from '@agent-trust/contracts';
import {
  admitRegistration,
  type AdmittedRegistration,
  agentDecider,
  type AgentState,
  completeRegistration,
  confirmRegistration,
  defaultConfiguration,
  patchConfiguration,
  type RegisterAgent,
  type RegisteredAgent,
  type RegistrationRequest,
} from '@agent-trust/domain';
import { emptyStream, type HandledCommand, type KnownStream } from '@agent-trust/event-log';
import type { Received, Sent, UnaryHandler } from '@agent-trust/nats-rpc';
import {
  beginCommand,
  type CommandDeps,
  decidedOrChecked,
  onceOnly,
  readState,
  runCommand,
  type RunningCommand,
  writtenPosition,
} from '../run-command.ts';
import { keepContact, sealContact } from '../personal-data.ts';
import { agentStreams } from '../stream-kinds.ts';
import { confirmAgainstTaxonomy } from './confirm-against-taxonomy.ts';
import { findCloneSource } from './clone-source.ts';
import {
  ensureOrgDomainAvailable,
  type ReservationRequest,
  reserveOrgDomain,
  voidRevisionOf,
} from './reserve-org-domain.ts';

type Input = Omit<Received<(typeof contract)['input']>, 'actor'>;
type Output = Sent<(typeof contract)['output']>;

/**
 * Registers an agent. Refusals come before any write, questions about capabilities after all refusals. The stream of an id that is
 * registered once is only read if the registration has effects before its append, or would not be carried out.
 *
 * An org_domain is reserved first, and so is a clone's place in the live agent's stream. After a crash in between, the same registration
 * can use both; another agent may take over the domain after its lease, but never the place.
 */
export function registerAgent(deps: CommandDeps): UnaryHandler<typeof contract> {
  return ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const stream = agentStream(input.agentId);
    const answer = registered(deps, running, input);
    return decidedOrChecked(hasEffectsBefore(input) ? null : () => register(deps, running, input, null), () =>
      onceOnly(deps, input, agentStreams, stream, answer, (read) => register(deps, running, input, read)),
    );
  };
}

/** Whether a registration writes something before its append: a reservation, a pairing, a key. One with a command id may have done so before. */
const hasEffectsBefore = ({ commandId, orgDomain, cloneFromAgentId, contact }: Input): boolean =>
  [commandId, orgDomain, cloneFromAgentId, contact.contactInfo, contact.contactEmail].some((field) => field !== null);

const register = async (
  deps: CommandDeps,
  running: RunningCommand,
  input: Input,
  read: KnownStream<AgentState> | null,
): Promise<Output> => {
  const source = await findCloneSource(deps, running, input);
  const request = requestOf(deps, running, input, source?.live ?? null);
  const on = read ?? emptyStream(agentDecider);
  const admitted = admitRegistration(request, on.state);
  const confirmation = await confirmAgainstTaxonomy(deps, running, {
    universe: admitted.standing.universe,
    capabilities: admitted.request.configuration.capabilities,
    // Capabilities that a clone copies were confirmed for the live agent.
    isTakenAsGiven: () => input.credential.kind === 'admin' || input.configuration.capabilities === undefined,
    answers: input,
  });
  const reservation = reservationOf(admitted);
  if (confirmation.outcome === 'confirmation_required') {
    if (read === null) admitRegistration(request, await readState(deps.log, agentStreams, agentStream(input.agentId)));
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
    decided: { on, events: completeRegistration(confirmed, command) },
  });
  return registered(deps, running, input)(handled);
};

const registered =
  (deps: CommandDeps, running: RunningCommand, { contact: named }: Input) =>
  async (handled: HandledCommand<AgentState, AgentEvent>): Promise<Output> => {
    const event = handled.events.find(({ type }) => type === 'AgentRegistered');
    if (event?.type !== 'AgentRegistered' || handled.state.kind !== 'registered') {
      throw new Error('a completed registration has no AgentRegistered event');
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

/** A registration takes only a free domain. */
const reservationOf = ({ request, agent, standing }: AdmittedRegistration): ReservationRequest | null => {
  const { agentId, orgDomain: domain } = request;
  if (domain === null) return null;
  return { domain, agentId, orgId: standing.orgId, mayShare: false, voidRevision: voidRevisionOf(agent, domain) };
};
