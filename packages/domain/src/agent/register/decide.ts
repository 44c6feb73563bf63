import type { AgentConfiguration, AgentRegistered, ClaimIssued } from '@agent-trust/contracts';
import { demandCapabilityWeightTiers } from '../capability-weight-tiers.ts';
import { claimIssued } from '../claim/issue.ts';
import type { RegisterAgent } from '../commands.ts';
import { mergeCapabilities } from '../merge-capabilities.ts';
import { demandPaymentFieldsOfPrices } from '../price-schedule-needs-payment-fields.ts';
import { demandSoundPublicKey } from '../public-key.ts';
import type { AgentState, UnregisteredAgent } from '../state.ts';
import { trustPriorOf } from '../trust-prior.ts';
import { demandAgentIdFree } from './agent-id-is-unique.ts';
import { demandContactOrPublicKey } from './contact-or-public-key-required.ts';
import { demandNoOrgFields } from './org-fields-need-org-key-or-admin.ts';
import { demandStandingReservation } from './reservation-must-stand.ts';
import { standingOfCredential } from './standing-of-credential.ts';

/**
 * Registers an agent and issues its first claim. Refusals, in this order: org_fields_forbidden, invalid_public_key,
 * contact_required, capability_weights_exceeded, price_schedule_incomplete, agent_id_taken, org_domain_taken.
 */
export const registerAgent = (command: RegisterAgent, state: AgentState): [AgentRegistered, ClaimIssued] => {
  const configuration = admissibleConfiguration(command);
  demandStandingReservation(command, demandAgentIdFree(command.agentId, state));
  const standing = standingOfCredential(command.credential, command.orgName);
  return [
    {
      type: 'AgentRegistered',
      data: {
        agentId: command.agentId,
        ...standing,
        orgDomain: command.orgDomain,
        trustPrior: trustPriorOf(standing.verified),
        publicKey: command.publicKey,
        contact: command.contact,
        configuration,
        registeredAt: command.now,
      },
    },
    claimIssued(command, 'registration'),
  ];
};

/** The rules that need no reservation, so that a registration which breaks one reserves nothing first. */
export const demandRegistrable = (command: RegisterAgent, state: AgentState): UnregisteredAgent => {
  admissibleConfiguration(command);
  return demandAgentIdFree(command.agentId, state);
};

/** The admin credential skips the rules of business, never the soundness of a key. */
const admissibleConfiguration = (command: RegisterAgent): AgentConfiguration => {
  const { credential, publicKey, contact } = command;
  const configuration = {
    ...command.configuration,
    capabilities: mergeCapabilities(command.configuration.capabilities),
  };
  if (credential.kind === 'none') demandNoOrgFields(command.orgName, command.orgDomain);
  if (publicKey !== null) demandSoundPublicKey(publicKey);
  if (credential.kind === 'none') demandContactOrPublicKey(contact.contactEmail, publicKey);
  if (credential.kind !== 'admin') {
    demandCapabilityWeightTiers(configuration.capabilities);
    demandPaymentFieldsOfPrices(configuration);
  }
  return configuration;
};
