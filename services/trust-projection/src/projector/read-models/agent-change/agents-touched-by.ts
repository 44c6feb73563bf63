import type { ProjectedRegistryEvent } from '../registry-event.ts';

/**
 * The agents of which anything that is shown or that ranks them may differ after an event: the directory, what they have earned, and
 * when they were last active. One too many costs a look; one too few is shown as it was, so every type of event is named here.
 */
export function agentsTouchedBy(event: ProjectedRegistryEvent): readonly string[] {
  switch (event.type) {
    case 'AgentRegistered':
    case 'KeyRotated':
    case 'ConfigurationChanged':
    case 'ConfigurationPulled':
    case 'ConfigurationPromoted':
    case 'ContactChanged':
    case 'PersonalDataErased':
    case 'PublicKeyReplaced':
    case 'AgentAdopted':
    case 'OrgNameChanged':
    case 'OrgDomainChanged':
    case 'AgentPublished':
    case 'AgentWithdrawn':
      return [event.data.agentId];
    case 'ClonePaired':
      return [event.data.agentId, event.data.relatedAgentId];
    case 'ExchangeCompleted':
    case 'ExchangeReviewed':
      return [event.data.callerAgentId, event.data.receiverAgentId];
    case 'ExchangeFailed':
      return [event.data.callerAgentId];
    case 'ClaimIssued':
    case 'OrgDomainReserved':
    case 'OrgDomainReleased':
    case 'OrgDomainReservationLapsed':
    case 'CapabilityDefined':
    case 'CapabilityRetired':
    case 'CapabilityConfirmationAnswered':
    case 'OrganisationCreated':
    case 'SandboxKeyIssued':
    case 'SandboxKeyRevoked':
    case 'ProductionKeyReplaced':
    case 'ExchangeStarted':
    case 'ExchangeAbandoned':
    case 'SettlementRecorded':
    case 'WebhookRegistered':
    case 'WebhookDeleted':
    case 'WebhookReplayRequested':
    // Every score may be another after it, and so may every row: its read models are built anew, and with them what is made of them.
    case 'TrustPolicyActivated':
      return [];
    default:
      return event satisfies never;
  }
}
