import {
  type AgentConfiguration,
  type AgentRegistered,
  type ClaimIssued,
  type ExchangeCompleted,
  type ExchangeReviewed,
  type ExchangeStarted,
  type OrganisationCreated,
  production,
  type RegistrationCredential,
  type SealedText,
  type Universe,
  type UpdateCredentials,
} from '@agent-trust/contracts';
import type { IssueClaim, RedeemClaim, RegisterAgent, UpdateAgent } from '../agent/commands.ts';
import { defaultConfiguration } from '../agent/register/default-configuration.ts';
import type { CreateOrganisation } from '../organisation/create/decide.ts';
import type { ReviewExchange, Reviewer, ReviewParty } from '../review/commands.ts';

/** Builders of valid values: a test names only what it is about. */

export const someHash = (n = 1): string => n.toString(16).padStart(64, '0');
export const atSecond = (second = 0): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
/** Stands for a text that was sealed; deciders compare and never open. */
export const someSealed = (text: string, keyId = 'key-1'): SealedText => ({ keyId, sealed: `sealed ${text}` });
/** RFC 8032 §7.1, test 1. */
export const somePublicKey = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';

export const sandboxOf = (orgId = 'org-1'): Universe => ({ kind: 'sandbox', orgId });
export const orgKey = (over: Partial<Extract<RegistrationCredential, { kind: 'organisation' }>> = {}) =>
  ({ kind: 'organisation', orgId: 'org-1', orgName: 'Acme', universe: production, ...over }) as const;
export const adminKey = (verified = false) => ({ kind: 'admin', verified }) as const;

export const someConfiguration = (over: Partial<AgentConfiguration> = {}): AgentConfiguration => ({
  ...defaultConfiguration,
  endpointUrl: 'https://agent.example/a2a',
  ...over,
});

export const registerAgentCommand = (over: Partial<RegisterAgent> = {}): RegisterAgent => ({
  type: 'RegisterAgent',
  agentId: 'agent-1',
  orgName: null,
  orgDomain: null,
  publicKey: null,
  contact: { contactInfo: null, contactEmail: someSealed('owner@agent.example') },
  configuration: someConfiguration(),
  answered: [],
  pairedWith: null,
  credential: { kind: 'none' },
  reservation: null,
  claimTokenHash: someHash(1),
  claimTtlSeconds: 1800,
  now: atSecond(0),
  ...over,
});

export const agentRegistered = (over: Partial<AgentRegistered['data']> = {}): AgentRegistered => ({
  type: 'AgentRegistered',
  data: {
    agentId: 'agent-1',
    universe: production,
    orgId: null,
    orgName: null,
    orgDomain: null,
    verified: false,
    trustPrior: 40,
    publicKey: null,
    contact: { contactInfo: null, contactEmail: someSealed('owner@agent.example') },
    configuration: someConfiguration(),
    registeredAt: atSecond(0),
    ...over,
  },
});

/** The credentials of an update; none that a test does not name. */
export const updateCredentials = (over: Partial<UpdateCredentials> = {}): UpdateCredentials => ({
  agentId: null,
  organisation: null,
  admin: false,
  ...over,
});

export const updateAgentCommand = (over: Partial<UpdateAgent> = {}): UpdateAgent => ({
  type: 'UpdateAgent',
  agentId: 'agent-1',
  contact: {},
  inClearBefore: {},
  configuration: {},
  answered: [],
  pull: null,
  credentials: updateCredentials({ agentId: 'agent-1' }),
  reservation: null,
  leaving: null,
  now: atSecond(60),
  ...over,
});

export const claimIssuedEvent = (over: Partial<ClaimIssued['data']> = {}): ClaimIssued => ({
  type: 'ClaimIssued',
  data: {
    agentId: 'agent-1',
    claimTokenHash: someHash(1),
    reason: 'registration',
    issuedAt: atSecond(0),
    expiresAt: atSecond(1800),
    ...over,
  },
});

export const issueClaimCommand = (over: Partial<IssueClaim> = {}): IssueClaim => ({
  type: 'IssueClaim',
  agentId: 'agent-1',
  authority: { kind: 'uncredentialed' },
  claimTokenHash: someHash(2),
  claimTtlSeconds: 1800,
  now: atSecond(60),
  ...over,
});

export const redeemClaimCommand = (over: Partial<RedeemClaim> = {}): RedeemClaim => ({
  type: 'RedeemClaim',
  agentId: 'agent-1',
  claimTokenHash: someHash(1),
  newKeyHash: someHash(99),
  now: atSecond(60),
  ...over,
});

export const createOrganisationCommand = (over: Partial<CreateOrganisation> = {}): CreateOrganisation => ({
  type: 'CreateOrganisation',
  orgId: 'org-1',
  orgName: 'Acme',
  contactEmail: 'ops@acme.example',
  productionKeyHash: someHash(11),
  sandboxKeyHash: someHash(12),
  now: atSecond(0),
  ...over,
});

export const organisationCreated = (over: Partial<OrganisationCreated['data']> = {}): OrganisationCreated => {
  const { type: _, now: createdAt, ...data } = createOrganisationCommand();
  return { type: 'OrganisationCreated', data: { ...data, createdAt, ...over } };
};

const someParties = {
  transactionId: 'tx-1',
  callerAgentId: 'caller',
  receiverAgentId: 'receiver',
  universe: production,
};

export const exchangeStarted = (over: Partial<ExchangeStarted['data']> = {}): ExchangeStarted => ({
  type: 'ExchangeStarted',
  data: {
    ...someParties,
    messageProtocol: 'a2a',
    httpMethod: 'POST',
    streaming: false,
    requestDigest: someHash(21),
    requestBytes: 17,
    startedAt: atSecond(0),
    endsWithinMs: 90_000,
    ...over,
  },
});

export const exchangeCompleted = (over: Partial<ExchangeCompleted['data']> = {}): ExchangeCompleted => ({
  type: 'ExchangeCompleted',
  data: {
    ...someParties,
    statusCode: 200,
    responseDigest: someHash(22),
    responseBytes: 42,
    durationMs: 5,
    completedAt: atSecond(1),
    ...over,
  },
});

export const someReviewer = (over: Partial<Reviewer> = {}): Reviewer => ({
  agentId: 'caller',
  universe: production,
  orgId: 'org-1',
  orgDomain: 'acme.example',
  trustScore: 75,
  roots: { 'acme.example': 1 },
  ...over,
});

export const someReceiver = (over: Partial<ReviewParty> = {}): ReviewParty => ({
  agentId: 'receiver',
  universe: production,
  orgId: 'org-2',
  orgDomain: 'other.example',
  ...over,
});

export const reviewCommand = (over: Partial<ReviewExchange> = {}): ReviewExchange => ({
  type: 'ReviewExchange',
  transactionId: 'tx-1',
  reviewer: someReviewer(),
  receiver: someReceiver(),
  success: true,
  score: 9,
  now: atSecond(2),
  ...over,
});

export const exchangeReviewed = (over: Partial<ExchangeReviewed['data']> = {}): ExchangeReviewed => ({
  type: 'ExchangeReviewed',
  data: {
    ...someParties,
    success: true,
    score: 9,
    reviewer: { orgId: 'org-1', orgDomain: 'acme.example', trustScore: 75, roots: { 'acme.example': 1 } },
    reviewedAt: atSecond(2),
    ...over,
  },
});
