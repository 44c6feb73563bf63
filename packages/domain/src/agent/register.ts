import {
  type AgentEvent,
  type CapabilityConfirmationAnswered,
  DomainError,
  faultAt,
  production,
  type RegistrationCredential,
  type Universe,
  type WeightedCapability,
} from '@agent-trust/contracts';
import { publicKeyFault } from '@agent-trust/http-signature';
import type { AnsweredConfirmation } from '../capability/confirm-capabilities.ts';
import { unreachable } from '../decider.ts';
import { claimIssued } from './claims.ts';
import type { RegisterAgent, RegistrationRequest } from './commands.ts';
import { ensureCapabilityWeightTiers, ensurePaymentFieldsOfPrices, mergeCapabilities } from './configuration.ts';
import { ensureStandingReservation } from './org-domain.ts';
import { clonePaired } from './pairs.ts';
import type { AgentState, UnregisteredAgent } from './state.ts';

/** A registration that meets the rules of `admitRegistration`. */
export type AdmittedRegistration = { request: RegistrationRequest; agent: UnregisteredAgent; standing: Standing };

/** The same with canonical capabilities, which meet their rules too. */
type ConfirmedRegistration = AdmittedRegistration & Confirmed;
type Confirmed = { capabilities: WeightedCapability[]; answered: readonly AnsweredConfirmation[] };

/**
 * Registers an agent with its pairing, its answered confirmations and its first claim, in three steps; between them, a service looks up
 * what the next step needs. Refusals: those of the steps, in their order.
 */
export function registerAgent(command: RegisterAgent, state: AgentState): AgentEvent[] {
  const hasContactEmail = command.contact.contactEmail !== null;
  const admitted = admitRegistration({ ...command, hasContactEmail }, state);
  const { capabilities } = command.configuration;
  return completeRegistration(confirmRegistration(admitted, { capabilities, answered: command.answered }), command);
}

/**
 * Checks the rules that need neither canonical capabilities nor a reservation, so that a refused registration has no effect anywhere. The
 * admin credential skips the business rules, never the check of the public key. Refusals, in this order: org_fields_forbidden,
 * invalid_public_key, contact_required, price_schedule_incomplete, agent_id_taken.
 */
export function admitRegistration(request: RegistrationRequest, state: AgentState): AdmittedRegistration {
  const { credential, publicKey, orgName, orgDomain } = request;
  if (credential.kind === 'none') ensureNoOrgFields(orgName, orgDomain);
  if (publicKey !== null) ensureSoundPublicKey(publicKey);
  if (credential.kind === 'none') ensureContactOrPublicKey(request.hasContactEmail, publicKey);
  if (credential.kind !== 'admin') ensurePaymentFieldsOfPrices(request.configuration);
  // The agent's stream makes its id unique, for ever and in both universes.
  if (state.kind === 'registered') {
    throw new DomainError('agent_id_taken', `agent_id ${JSON.stringify(request.agentId)} is taken`);
  }
  return { request, agent: state, standing: standingOfCredential(credential, orgName) };
}

/** Refuses with `capability_weights_exceeded`. */
export function confirmRegistration(
  admitted: AdmittedRegistration,
  { capabilities, answered }: Confirmed,
): ConfirmedRegistration {
  const merged = mergeCapabilities(capabilities);
  if (admitted.request.credential.kind !== 'admin') ensureCapabilityWeightTiers(merged);
  return { ...admitted, capabilities: merged, answered };
}

/** Refuses with `org_domain_taken`. */
export function completeRegistration(
  { request, agent, standing, capabilities, answered }: ConfirmedRegistration,
  { contact, reservation }: Pick<RegisterAgent, 'contact' | 'reservation'>,
): AgentEvent[] {
  const { agentId, orgDomain, pairedWith, now } = request;
  ensureStandingReservation({ orgDomain, reservation }, agent);
  return [
    {
      type: 'AgentRegistered',
      data: {
        agentId,
        ...standing,
        orgDomain,
        trustPrior: trustPriorOf(standing.verified),
        publicKey: request.publicKey,
        contact,
        configuration: { ...request.configuration, capabilities },
        registeredAt: now,
      },
    },
    ...(pairedWith === null ? [] : [clonePaired(agentId, pairedWith, now)]),
    ...confirmationsAnswered(agentId, standing.universe, answered, now),
    claimIssued(request, 'registration'),
  ];
}

export function confirmationsAnswered(
  agentId: string,
  universe: Universe,
  answered: readonly AnsweredConfirmation[],
  answeredAt: string,
): CapabilityConfirmationAnswered[] {
  return answered.map((answer) => ({
    type: 'CapabilityConfirmationAnswered',
    data: { agentId, universe, ...answer, answeredAt },
  }));
}

/** Only an organisation's key or the admin credential may set these fields. Refuses with `org_fields_forbidden`; null counts as absent. */
export function ensureNoOrgFields(orgName: string | null, orgDomain: string | null): void {
  const sent = [orgName === null ? [] : ['org_name'], orgDomain === null ? [] : ['org_domain']].flat();
  if (sent.length > 0) {
    throw new DomainError(
      'org_fields_forbidden',
      `${sent.join(' and ')} may be set only with an organisation's X-API-KEY or the admin credential`,
    );
  }
}

/** An anonymous caller needs a way to prove ownership of the agent later. Refuses with `contact_required`. */
const ensureContactOrPublicKey = (hasContactEmail: boolean, publicKey: string | null): void => {
  if (!hasContactEmail && publicKey === null) {
    throw faultAt(
      'contact_required',
      ['body', 'contact_email'],
      'contact_email or public_key is required without an organisation key or the admin credential',
    );
  }
};

/** Refuses with `invalid_public_key` unless it is an Ed25519 public key: base64url, 32 bytes, on the curve, of large order. */
export function ensureSoundPublicKey(publicKey: string): void {
  const fault = publicKeyFault(publicKey);
  if (fault !== null)
    throw new DomainError('invalid_public_key', `public_key is not a valid Ed25519 public key: ${fault}`);
}

/** What a credential implies for the new agent. */
type Standing = { universe: Universe; orgId: string | null; orgName: string | null; verified: boolean };

/** A key determines the universe and the organisation's canonical name; the admin's values are taken as they are. */
const standingOfCredential = (credential: RegistrationCredential, orgNameSent: string | null): Standing => {
  switch (credential.kind) {
    case 'organisation': {
      const { universe, orgId, orgName } = credential;
      return { universe, orgId, orgName, verified: true };
    }
    case 'admin':
      return { universe: production, orgId: null, orgName: orgNameSent, verified: credential.verified };
    case 'none':
      return { universe: production, orgId: null, orgName: null, verified: false };
    default:
      return unreachable(credential);
  }
};

/** The score that an agent starts from: higher if its organisation or the admin vouches for it; the same in the sandbox. */
export function trustPriorOf(verified: boolean): number {
  return verified ? 75 : 40;
}
