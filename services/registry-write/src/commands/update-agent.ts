import {
  type AgentEvent,
  agentStream,
  type ConfirmationRequest,
  type SealedContact,
  type updateAgent as contract,
} from '@agent-trust/contracts';
import {
  type AdmittedUpdate,
  admitUpdate,
  type AgentState,
  type AllowedUpdate,
  completeUpdate,
  ensureUpdateAllowed,
  type RegisteredAgent,
  type UpdateAgent,
} from '@agent-trust/domain';
import { type HandledCommand, type KnownStream, readStream } from '@agent-trust/event-log';
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
import { keepContact, type NamedContact, sealContact } from '../personal-data.ts';
import { agentStreams } from '../stream-kinds.ts';
import { confirmAgainstTaxonomy } from './confirm-against-taxonomy.ts';
import {
  attemptsMax,
  ensureOrgDomainAvailable,
  heldReservation,
  isTaken,
  type ReservationRequest,
  reserveOrgDomain,
  voidRevisionOf,
} from './reserve-org-domain.ts';

type Input = Omit<Received<(typeof contract)['input']>, 'actor'>;

/**
 * Updates an agent. Refusals come before any write, questions about capabilities after all refusals. A new org_domain is reserved first;
 * after a crash in between, another agent may take over the reservation when its lease has passed.
 */
export function updateAgent(deps: CommandDeps): UnaryHandler<typeof contract> {
  return ({ actor, ...input }, context) => {
    const running = beginCommand(deps, actor, context);
    const stream = agentStream(input.agentId);
    const answerEarlier = (handled: HandledCommand<AgentState, AgentEvent>) =>
      outcomeOf(deps, running, handled, { named: input.contact, sealed: sealedBy(handled) });
    const known = needsPresentState(input) ? null : deps.known.get<AgentState>(stream);
    return decidedOrChecked(known && (() => update(deps, running, input, known)), () =>
      onceOnly(deps, input, agentStreams, stream, answerEarlier, (read) => update(deps, running, input, read)),
    );
  };
}

/**
 * Whether an update does more with the agent's state than the decider, which decides again if the state was another: it writes a reservation
 * or a key before its append, asks about names that the agent does not have, reads another agent, or may be repeated.
 */
const needsPresentState = ({ commandId, orgDomain, pullFromAgentId, contact, configuration }: Input): boolean =>
  commandId !== null ||
  orgDomain !== undefined ||
  pullFromAgentId !== null ||
  configuration.capabilities !== undefined ||
  Object.values(contact).some((text) => text != null);

const update = async (
  deps: CommandDeps,
  running: RunningCommand,
  input: Input,
  read: KnownStream<AgentState>,
): Promise<Sent<(typeof contract)['output']>> => {
  const draft = await draftOf(deps, running, input);
  const allowed = ensureUpdateAllowed(draft, read.state);
  const { command, question } = await withCanonicalCapabilities(deps, running, input, draft, allowed);
  const admitted = admitUpdate(command, allowed);
  if (question === null) {
    const contact = await sealContact(deps.contactKeys, input.agentId, input.contact);
    const handled = await write(deps, running, { ...command, contact }, { read, admitted }, input.commandId);
    return outcomeOf(deps, running, handled, { named: input.contact, sealed: contact });
  }
  const reservation = reservationFor(admitted);
  if (reservation !== null) await ensureOrgDomainAvailable(deps, running, reservation);
  return question;
};

const outcomeOf = async (
  deps: CommandDeps,
  running: RunningCommand,
  handled: HandledCommand<AgentState, AgentEvent>,
  contact: { named: NamedContact; sealed: Partial<SealedContact> },
): Promise<Sent<(typeof contract)['output']>> => {
  const { agentId, universe } = handled.state as RegisteredAgent;
  const resealedAt = await keepContact(deps, running, { agentId, ...contact });
  return { outcome: 'updated', universe, position: resealedAt?.toString() ?? writtenPosition(handled) };
};

/** The contact that an earlier attempt of this command wrote. */
const sealedBy = ({ events }: HandledCommand<AgentState, AgentEvent>): Partial<SealedContact> => {
  const changed = events.find(({ type }) => type === 'ContactChanged');
  return changed?.type === 'ContactChanged' ? changed.data.contact : {};
};

/** The command with its capabilities as submitted. */
const draftOf = async (deps: CommandDeps, { now }: RunningCommand, input: Input): Promise<UpdateAgent> => {
  const { pullFromAgentId: fromAgentId } = input;
  return {
    type: 'UpdateAgent',
    agentId: input.agentId,
    orgName: input.orgName,
    orgDomain: input.orgDomain,
    publicKey: input.publicKey,
    // Sealed after all refusals.
    contact: {},
    configuration: input.configuration,
    answered: [],
    pull:
      fromAgentId === null
        ? null
        : { fromAgentId, state: await readState(deps.log, agentStreams, agentStream(fromAgentId)) },
    credentials: input.credentials,
    reservation: null,
    leaving: null,
    now,
  };
};

/** With a question, the command has only the capabilities that no answer can change, so that their refusals come first. */
type Canonical = { command: UpdateAgent; question: ConfirmationRequest | null };

/** Names that the agent has already or pulls were confirmed before; the admin's are taken as given. */
const withCanonicalCapabilities = async (
  deps: CommandDeps,
  running: RunningCommand,
  input: Input,
  draft: UpdateAgent,
  { agent, authority, live }: AllowedUpdate,
): Promise<Canonical> => {
  const { capabilities: submitted } = draft.configuration;
  if (submitted === undefined) return { command: draft, question: null };
  const confirmed = [agent, live].flatMap((one) => one?.configuration.capabilities ?? []).map(({ name }) => name);
  const confirmation = await confirmAgainstTaxonomy(deps, running, {
    universe: agent.universe,
    capabilities: submitted,
    isTakenAsGiven: (name) => authority.isAdmin || confirmed.includes(name),
    ownAliases: agent.ownAliases,
    answers: input,
  });
  const commandWith = (capabilities: typeof submitted): UpdateAgent => ({
    ...draft,
    configuration: { ...draft.configuration, capabilities },
  });
  if (confirmation.outcome === 'confirmation_required') {
    const { settled, ...question } = confirmation;
    return { command: commandWith(settled), question };
  }
  return { command: { ...commandWith(confirmation.capabilities), answered: confirmation.answered }, question: null };
};

/** The reservation that a new org_domain needs, or null. */
const reservationFor = ({ agent, authority, orgDomain: domain }: AdmittedUpdate): ReservationRequest | null => {
  if (domain === null || domain === agent.orgDomain) return null;
  return {
    domain,
    agentId: agent.agentId,
    orgId: authority.organisation?.orgId ?? agent.orgId,
    mayShare: true,
    voidRevision: voidRevisionOf(agent, domain),
  };
};

type Admitted = { read: KnownStream<AgentState>; admitted: AdmittedUpdate };

const write = async (
  deps: CommandDeps,
  running: RunningCommand,
  command: UpdateAgent,
  first: Admitted,
  commandId: string | null,
): Promise<HandledCommand<AgentState, AgentEvent>> => {
  const stream = agentStream(command.agentId);
  let { read, admitted } = first;
  for (let attempt = 1; ; attempt += 1) {
    const request = reservationFor(admitted);
    const reservation = request === null ? null : await reserveOrgDomain(deps, running, request);
    const held = admitted.agent.orgDomain;
    const leaving = held === null ? null : await leavingOf(deps, command, held);
    const whole = { ...command, reservation, leaving };
    try {
      const decided = { on: read, events: completeUpdate(whole, admitted) };
      return await runCommand(deps, running, agentStreams, stream, whole, { commandId, decided });
    } catch (error) {
      if (!isTaken(error) || attempt >= attemptsMax) throw error;
      read = await readStream({ log: deps.log, ...agentStreams, stream });
      admitted = admitUpdate(command, ensureUpdateAllowed(command, read.state));
    }
  }
};

/** Needed only by an update that names another domain or null. */
const leavingOf = async (deps: CommandDeps, command: UpdateAgent, held: string): Promise<UpdateAgent['leaving']> =>
  command.orgDomain === undefined || command.orgDomain === held ? null : heldReservation(deps, held, command.agentId);
