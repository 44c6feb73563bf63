import type { AgentEvent, CapabilityConfirmationAnswered } from '@agent-trust/contracts';
import { ensureCapabilityWeightTiers } from '../capability-weight-tiers.ts';
import { claimIssued } from '../claim/issue.ts';
import type { RegisterAgent, RegistrationDraft } from '../commands.ts';
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
import { standingOfCredential } from './standing-of-credential.ts';

/**
 * Registers an agent, says what it is paired with and what was answered of its capabilities, and issues its first claim. Refusals, in
 * this order: org_fields_forbidden, invalid_public_key, contact_required, price_schedule_incomplete, agent_id_taken,
 * capability_weights_exceeded, org_domain_taken.
 */
export function registerAgent(command: RegisterAgent, state: AgentState): AgentEvent[] {
  const { agentId, credential, pairedWith, now } = command;
  const unregistered = ensureRegistrable(command, state);
  const capabilities = mergeCapabilities(command.configuration.capabilities);
  if (credential.kind !== 'admin') ensureCapabilityWeightTiers(capabilities);
  ensureStandingReservation(command, unregistered);
  const standing = standingOfCredential(credential, command.orgName);
  return [
    {
      type: 'AgentRegistered',
      data: {
        agentId,
        ...standing,
        orgDomain: command.orgDomain,
        trustPrior: trustPriorOf(standing.verified),
        publicKey: command.publicKey,
        contact: command.contact,
        configuration: { ...command.configuration, capabilities },
        registeredAt: now,
      },
    },
    ...(pairedWith === null ? [] : [clonePaired(agentId, pairedWith, now)]),
    ...command.answered.map(
      (answer): CapabilityConfirmationAnswered => ({
        type: 'CapabilityConfirmationAnswered',
        data: { agentId, universe: standing.universe, ...answer, answeredAt: now },
      }),
    ),
    claimIssued(command, 'registration'),
  ];
}

/**
 * The rules that need neither canonical capabilities nor a reservation, so that a registration which breaks one asks nobody and
 * reserves nothing. The admin credential skips the rules of business, never the soundness of a key.
 */
export function ensureRegistrable(command: RegisterAgent | RegistrationDraft, state: AgentState): UnregisteredAgent {
  const { credential, publicKey, contact } = command;
  if (credential.kind === 'none') ensureNoOrgFields(command.orgName, command.orgDomain);
  if (publicKey !== null) ensureSoundPublicKey(publicKey);
  if (credential.kind === 'none') ensureContactOrPublicKey(contact.contactEmail, publicKey);
  if (credential.kind !== 'admin') ensurePaymentFieldsOfPrices(command.configuration);
  return ensureAgentIdFree(command.agentId, state);
}
