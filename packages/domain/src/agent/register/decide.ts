import type { AgentEvent, CapabilityConfirmationAnswered, WeightedCapability } from '@agent-trust/contracts';
import type { AnsweredConfirmation } from '../../capability/confirm-capabilities.ts';
import { ensureCapabilityWeightTiers } from '../capability-weight-tiers.ts';
import { claimIssued } from '../claim/issue.ts';
import type { RegisterAgent, RegistrationRequest } from '../commands.ts';
import { mergeCapabilities } from '../merge-capabilities.ts';
import { ensureStandingReservation } from '../org-domain/reservation-must-stand.ts';
import { ensurePaymentFieldsOfPrices } from '../price-schedule-needs-payment-fields.ts';
import { ensureSoundPublicKey } from '../public-key.ts';
import type { AgentState, UnregisteredAgent } from '../state.ts';
import { trustPriorOf } from '../trust-prior.ts';
import { ensureAgentIdFree } from './agent-id-is-unique.ts';
import { ensureContactOrPublicKey } from './contact-or-public-key-required.ts';
import { ensureNoOrgFields } from './org-fields-need-org-key-or-admin.ts';
import { clonePaired } from './one-clone-a-live-agent.ts';
import { type Standing, standingOfCredential } from './standing-of-credential.ts';

/** A registration that keeps the rules that need no preparation, and what its credential makes of it. */
export type AdmittedRegistration = { request: RegistrationRequest; agent: UnregisteredAgent; standing: Standing };

/** With canonical capabilities, which keep their rules as well. */
export type ConfirmedRegistration = AdmittedRegistration & Confirmed;
type Confirmed = { capabilities: WeightedCapability[]; answered: readonly AnsweredConfirmation[] };

/**
 * Registers an agent, says what it is paired with and what was answered of its capabilities, and issues its first claim: three steps,
 * between which a service looks up what the next one needs. Refusals: those of the steps, in their order.
 */
export function registerAgent(command: RegisterAgent, state: AgentState): AgentEvent[] {
  const hasContactEmail = command.contact.contactEmail !== null;
  const admitted = admitRegistration({ ...command, hasContactEmail }, state);
  const { capabilities } = command.configuration;
  return completeRegistration(confirmRegistration(admitted, { capabilities, answered: command.answered }), command);
}

/**
 * The rules that need neither canonical capabilities nor a reservation, so that a registration which breaks one asks nobody and
 * reserves nothing. The admin credential skips the rules of business, never the soundness of a key. Refusals, in this order:
 * org_fields_forbidden, invalid_public_key, contact_required, price_schedule_incomplete, agent_id_taken.
 */
export function admitRegistration(request: RegistrationRequest, state: AgentState): AdmittedRegistration {
  const { credential, publicKey, orgName, orgDomain } = request;
  if (credential.kind === 'none') ensureNoOrgFields(orgName, orgDomain);
  if (publicKey !== null) ensureSoundPublicKey(publicKey);
  if (credential.kind === 'none') ensureContactOrPublicKey(request.hasContactEmail, publicKey);
  if (credential.kind !== 'admin') ensurePaymentFieldsOfPrices(request.configuration);
  const agent = ensureAgentIdFree(request.agentId, state);
  return { request, agent, standing: standingOfCredential(credential, orgName) };
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
    ...answered.map(
      (answer): CapabilityConfirmationAnswered => ({
        type: 'CapabilityConfirmationAnswered',
        data: { agentId, universe: standing.universe, ...answer, answeredAt: now },
      }),
    ),
    claimIssued(request, 'registration'),
  ];
}
