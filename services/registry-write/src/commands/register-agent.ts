import {
  type AgentEvent,
  agentStream,
  type ConfirmationRequest,
  type registerAgent as contract,
} from '@agent-trust/contracts';
import {
  type AgentState,
  defaultConfiguration,
  ensureCapabilityWeightTiers,
  ensureRegistrable,
  patchConfiguration,
  type RegisterAgent,
  type RegistrationDraft,
  type RegisteredAgent,
  standingOfCredential,
  type UnregisteredAgent,
} from '@agent-trust/domain';
import type { HandledCommand } from '@agent-trust/event-log';
import type { Received, Sent, UnaryHandler } from '@agent-trust/nats-rpc';
import type { CommandDeps } from '../command-deps.ts';
import { keepContact } from '../personal-data/keep-contact.ts';
import { sealContact } from '../personal-data/seal-contact.ts';
import { beginCommand, onceOnly, readState, type RunningCommand, runCommand, writtenPosition } from '../run-command.ts';
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
    return onceOnly(deps, input.commandId, agentStreams, stream, answer, () => register(deps, running, input));
  };
}

const register = async (deps: CommandDeps, running: RunningCommand, input: Input): Promise<Output> => {
  const stream = agentStream(input.agentId);
  const source = await findCloneSource(deps, running, input);
  const draft = draftOf(deps, running, input, source?.live ?? null);
  const unregistered = ensureRegistrable(draft, await readState(deps.log, agentStreams, stream));
  const confirmed = await withCanonicalCapabilities(deps, running, input, draft);
  const reservation = reservationOf(draft, unregistered);
  if ('question' in confirmed) {
    if (reservation !== null) await ensureOrgDomainAvailable(deps, running, reservation);
    return confirmed.question;
  }
  const held = reservation === null ? null : await reserveOrgDomain(deps, running, reservation);
  if (source !== null) {
    await runCommand(deps, running, agentStreams, agentStream(source.live.agentId), source.pairing);
  }
  const { contactInfo = null, contactEmail = null } = await sealContact(deps.contactKeys, input.agentId, input.contact);
  const command: RegisterAgent = {
    ...confirmed.command,
    contact: { contactInfo, contactEmail },
    reservation: held,
  };
  const handled = await runCommand(deps, running, agentStreams, stream, command, input.commandId);
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

/** The command as far as it is known without the taxonomy: its capabilities are as they were submitted. */
const draftOf = (
  deps: CommandDeps,
  { now }: RunningCommand,
  input: Input,
  live: RegisteredAgent | null,
): RegistrationDraft => ({
  type: 'RegisterAgent',
  agentId: input.agentId,
  orgName: input.orgName,
  orgDomain: input.orgDomain,
  publicKey: input.publicKey,
  contact: input.contact,
  configuration: patchConfiguration(live?.configuration ?? defaultConfiguration, input.configuration),
  answered: [],
  pairedWith: live?.agentId ?? null,
  credential: input.credential,
  reservation: null,
  claimTokenHash: input.claimTokenHash,
  claimTtlSeconds: deps.claimTtlSeconds,
  now,
});

/** The admin's names are taken as given, and so are those that a clone copies: they were settled when the live agent got them. */
const withCanonicalCapabilities = async (
  deps: CommandDeps,
  running: RunningCommand,
  input: Input,
  draft: RegistrationDraft,
): Promise<{ command: RegistrationDraft } | { question: ConfirmationRequest }> => {
  const isAdmin = input.credential.kind === 'admin';
  const ensureTiers = isAdmin ? () => undefined : ensureCapabilityWeightTiers;
  const confirmation = await confirmAgainstTaxonomy(deps, running, {
    universe: standingOfCredential(input.credential, null).universe,
    capabilities: draft.configuration.capabilities,
    isTakenAsGiven: () => isAdmin || input.configuration.capabilities === undefined,
    answers: input,
  });
  if (confirmation.outcome === 'confirmation_required') {
    const { settled, ...question } = confirmation;
    ensureTiers(settled);
    return { question };
  }
  const { capabilities, answered } = confirmation;
  ensureTiers(capabilities);
  return { command: { ...draft, configuration: { ...draft.configuration, capabilities }, answered } };
};

/** A registration takes only a domain that nobody holds. */
const reservationOf = (draft: RegistrationDraft, agent: UnregisteredAgent): ReservationRequest | null => {
  const { agentId, orgDomain: domain, credential } = draft;
  if (domain === null) return null;
  return {
    domain,
    agentId,
    orgId: credential.kind === 'organisation' ? credential.orgId : null,
    mayShare: false,
    voidRevision: agent.lapsedReservations.find((lapsed) => lapsed.domain === domain)?.revision ?? null,
  };
};
