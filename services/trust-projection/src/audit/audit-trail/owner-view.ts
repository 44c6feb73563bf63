import type { Actor, OwnedAgentEvent, RegistryEvent } from '@agent-trust/contracts';
import type { JsonObject, JsonValue, RecordedEvent } from '@agent-trust/event-log';
import { agentsConcernedBy, universeOf } from './concerned.ts';

const configuration = ['agentId', 'configuration', 'changedFields'] as const;
const parties = ['transactionId', 'callerAgentId', 'receiverAgentId'] as const;

/**
 * What an agent's owner sees of each type of event, by the names of its data; null for types that are not of any agent. Left out are
 * hashes of keys and tokens, contact details (which may be erased), ids of organisations, and what is only the counterparty's. A type
 * that is not named here is shown to no owner.
 */
const shownToOwner: Record<RegistryEvent['type'], readonly string[] | null> = {
  AgentRegistered: [
    'agentId',
    'orgName',
    'orgDomain',
    'verified',
    'trustPrior',
    'publicKey',
    'configuration',
    'registeredAt',
  ],
  ClaimIssued: ['agentId', 'reason', 'issuedAt', 'expiresAt'],
  KeyRotated: ['agentId', 'rotatedAt'],
  ConfigurationChanged: [...configuration, 'changedAt'],
  ConfigurationPulled: [...configuration, 'fromAgentId', 'pulledAt'],
  ConfigurationPromoted: [...configuration, 'fromAgentId', 'promotedAt'],
  ContactChanged: ['agentId', 'changedAt'],
  PublicKeyReplaced: ['agentId', 'publicKey', 'replacedAt'],
  AgentAdopted: ['agentId', 'orgName', 'adoptedAt'],
  OrgNameChanged: ['agentId', 'orgName', 'changedAt'],
  OrgDomainChanged: ['agentId', 'orgDomain', 'changedAt'],
  OrgDomainReserved: ['agentId', 'domain', 'reservedAt'],
  OrgDomainReleased: ['agentId', 'domain', 'releasedAt'],
  OrgDomainReservationLapsed: ['agentId', 'domain', 'lapsedAt'],
  ClonePaired: ['agentId', 'relatedAgentId', 'pairedAt'],
  AgentPublished: ['agentId', 'publishedAt'],
  AgentWithdrawn: ['agentId', 'withdrawnAt'],
  CapabilityConfirmationAnswered: ['agentId', 'submitted', 'candidate', 'accepted', 'answeredAt'],
  ExchangeStarted: [
    ...parties,
    'messageProtocol',
    'httpMethod',
    'streaming',
    'requestDigest',
    'requestBytes',
    'startedAt',
  ],
  ExchangeCompleted: [...parties, 'statusCode', 'responseDigest', 'responseBytes', 'durationMs', 'completedAt'],
  ExchangeFailed: [...parties, 'reason', 'durationMs', 'failedAt'],
  ExchangeAbandoned: [...parties, 'abandonedAt'],
  ExchangeReviewed: [...parties, 'success', 'score', 'reviewedAt'],
  SettlementRecorded: [
    'receiverAgentId',
    'callerAgentId',
    'callRef',
    'attribution',
    'via',
    'settlementRail',
    'scheme',
    'network',
    'asset',
    'currency',
    'decimals',
    'amountAtomic',
    'payeeAddress',
    'confirmationRef',
    'blockNumber',
    'settledAt',
  ],
  PersonalDataErased: ['agentId', 'erasedAt'],
  TrustPolicyActivated: null,
  WebhookRegistered: null,
  WebhookDeleted: null,
  WebhookReplayRequested: null,
  CapabilityDefined: null,
  CapabilityRetired: null,
  OrganisationCreated: null,
  SandboxKeyIssued: null,
  SandboxKeyRevoked: null,
  ProductionKeyReplaced: null,
};

/** The types of events that owners see. */
export const typesShownToOwners: readonly string[] = Object.entries(shownToOwner)
  .filter(([, shown]) => shown !== null)
  .map(([type]) => type);

/** An agent and the organisation that has it, which asks. */
export type Owned = { agentId: string; orgId: string; orgName: string };

/** An event as the owner of an agent that it speaks of sees it; those of other types than `typesShownToOwners` must not come here. */
export function ownerView(event: RecordedEvent, owned: Owned): OwnedAgentEvent {
  const { metadata } = event;
  const isOwn = mayKnowRequest(event, owned);
  const where = universeOf(event);
  return {
    position: String(event.position),
    eventId: event.eventId,
    type: event.type,
    recordedAt: event.recordedAt.toISOString(),
    universe: where === null ? null : where === 'production' ? 'production' : 'sandbox',
    actor: shownActor(event, owned),
    requestId: isOwn ? (metadata.correlationId ?? null) : null,
    causationId: isOwn ? (metadata.causationId ?? null) : null,
    data: Object.fromEntries(
      shownData(event, owned).flatMap((name): [string, JsonValue][] => {
        const value = event.data[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

const shownData = (event: RecordedEvent, { agentId }: Owned): readonly string[] => {
  const shown = shownToOwner[event.type as RegistryEvent['type']] ?? [];
  const ofAnother = typeof event.data['agentId'] === 'string' && event.data['agentId'] !== agentId;
  // A clone's configuration is its own universe's to see, although the event names its live counterpart, too.
  return ofAnother ? shown.filter((name) => name !== 'configuration' && name !== 'changedFields') : shown;
};

/**
 * Whether the request behind an event may be named to an owner: its own, the operators', or one by nobody known to the agent itself. Names
 * of requests are their senders' own words, so those of a counterparty, or of an organisation that wanted the agent's domain, are not told.
 */
const mayKnowRequest = (event: RecordedEvent, { agentId, orgId }: Owned): boolean => {
  const { actor } = event.metadata;
  const where = universeOf(event);
  switch (actor?.kind as Actor['kind'] | undefined) {
    case 'organisation':
      return actor?.id === orgId;
    case 'agent':
      // In a sandbox there is nobody but agents of one organisation.
      return actor?.id === agentId || (where !== null && where !== 'production');
    case 'admin':
    case 'operator':
    case 'system':
      return true;
    case 'anonymous':
    case undefined:
      return where === null;
  }
};

const shownActor = (event: RecordedEvent, { orgId, orgName }: Owned): OwnedAgentEvent['actor'] => {
  const { kind = 'anonymous', id = null, credentials = null } = event.metadata.actor ?? {};
  return { kind, id: shownActorId(event.data, { kind, id }, { orgId, orgName }), credentials };
};

const shownActorId = (
  data: JsonObject,
  { kind, id }: { kind: string; id: string | null },
  { orgId, orgName }: { orgId: string; orgName: string },
): string | null => {
  if (kind === 'organisation') return id === orgId ? orgName : null;
  return kind === 'agent' && id !== null && agentsConcernedBy(data).includes(id) ? id : null;
};
