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
  type ReviewAnswered,
  type SealedText,
  type Universe,
  type UpdateCredentials,
} from '@agent-trust/contracts';
import type { IssueClaim, RedeemClaim, RegisterAgent, UpdateAgent } from '../agent/commands.ts';
import { defaultConfiguration } from '../agent/configuration.ts';
import type { CreateOrganisation } from '../organisation/decider.ts';
import type { AnswerReview } from '../exchange/answer.ts';
import type { Reviewer, ReviewExchange, ReviewParty } from '../exchange/review.ts';

/** Builders of valid values: a test names only what matters to it. */

export function someHash(n = 1): string {
  return n.toString(16).padStart(64, '0');
}
export function atSecond(second = 0): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}
/** Stands for a sealed text; deciders compare such texts and never open them. */
export function someSealed(text: string, keyId = 'key-1'): SealedText {
  return { keyId, sealed: `sealed ${text}` };
}
/** RFC 8032 §7.1, test 1. */
export const somePublicKey = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';

export function sandboxOf(orgId = 'org-1'): Universe {
  return { kind: 'sandbox', orgId };
}
export function orgKey(over: Partial<Extract<RegistrationCredential, { kind: 'organisation' }>> = {}) {
  return { kind: 'organisation', orgId: 'org-1', orgName: 'Acme', universe: production, ...over } as const;
}
export function adminKey(verified = false) {
  return { kind: 'admin', verified } as const;
}

export function someConfiguration(over: Partial<AgentConfiguration> = {}): AgentConfiguration {
  return {
    ...defaultConfiguration,
    endpointUrl: 'https://agent.example/a2a',
    ...over,
  };
}

export function registerAgentCommand(over: Partial<RegisterAgent> = {}): RegisterAgent {
  return {
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
  };
}

export function agentRegistered(over: Partial<AgentRegistered['data']> = {}): AgentRegistered {
  return {
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
  };
}

/** The credentials of an update; absent unless the test names them. */
export function updateCredentials(over: Partial<UpdateCredentials> = {}): UpdateCredentials {
  return {
    agentId: null,
    organisation: null,
    admin: false,
    ...over,
  };
}

export function updateAgentCommand(over: Partial<UpdateAgent> = {}): UpdateAgent {
  return {
    type: 'UpdateAgent',
    agentId: 'agent-1',
    contact: {},
    configuration: {},
    answered: [],
    pull: null,
    credentials: updateCredentials({ agentId: 'agent-1' }),
    reservation: null,
    leaving: null,
    now: atSecond(60),
    ...over,
  };
}

export function claimIssuedEvent(over: Partial<ClaimIssued['data']> = {}): ClaimIssued {
  return {
    type: 'ClaimIssued',
    data: {
      agentId: 'agent-1',
      claimTokenHash: someHash(1),
      reason: 'registration',
      issuedAt: atSecond(0),
      expiresAt: atSecond(1800),
      ...over,
    },
  };
}

export function issueClaimCommand(over: Partial<IssueClaim> = {}): IssueClaim {
  return {
    type: 'IssueClaim',
    agentId: 'agent-1',
    authority: { kind: 'uncredentialed', unownedOnly: false },
    claimTokenHash: someHash(2),
    claimTtlSeconds: 1800,
    now: atSecond(60),
    ...over,
  };
}

export function redeemClaimCommand(over: Partial<RedeemClaim> = {}): RedeemClaim {
  return {
    type: 'RedeemClaim',
    agentId: 'agent-1',
    claimTokenHash: someHash(1),
    newKeyHash: someHash(99),
    now: atSecond(60),
    ...over,
  };
}

export function createOrganisationCommand(over: Partial<CreateOrganisation> = {}): CreateOrganisation {
  return {
    type: 'CreateOrganisation',
    orgId: 'org-1',
    orgName: 'Acme',
    contactEmail: 'ops@acme.example',
    productionKeyHash: someHash(11),
    sandboxKeyHash: someHash(12),
    now: atSecond(0),
    ...over,
  };
}

export function organisationCreated(over: Partial<OrganisationCreated['data']> = {}): OrganisationCreated {
  const { type: _, now: createdAt, ...data } = createOrganisationCommand();
  return { type: 'OrganisationCreated', data: { ...data, createdAt, ...over } };
}

const someParties = {
  transactionId: 'tx-1',
  callerAgentId: 'caller',
  receiverAgentId: 'receiver',
  universe: production,
};

export function exchangeStarted(over: Partial<ExchangeStarted['data']> = {}): ExchangeStarted {
  return {
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
  };
}

export function exchangeCompleted(over: Partial<ExchangeCompleted['data']> = {}): ExchangeCompleted {
  return {
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
  };
}

export function someReviewer(over: Partial<Reviewer> = {}): Reviewer {
  return {
    agentId: 'caller',
    universe: production,
    orgId: 'org-1',
    orgDomain: 'acme.example',
    trustScore: 75,
    roots: { 'acme.example': 1 },
    asOf: '7',
    ...over,
  };
}

export function someReceiver(over: Partial<ReviewParty> = {}): ReviewParty {
  return {
    agentId: 'receiver',
    universe: production,
    orgId: 'org-2',
    orgDomain: 'other.example',
    ...over,
  };
}

export function reviewCommand(over: Partial<ReviewExchange> = {}): ReviewExchange {
  return {
    type: 'ReviewExchange',
    transactionId: 'tx-1',
    reviewer: someReviewer(),
    receiver: someReceiver(),
    success: true,
    score: 9,
    now: atSecond(2),
    ...over,
  };
}

export function exchangeReviewed(over: Partial<ExchangeReviewed['data']> = {}): ExchangeReviewed {
  return {
    type: 'ExchangeReviewed',
    data: {
      ...someParties,
      success: true,
      score: 9,
      reviewer: { orgId: 'org-1', orgDomain: 'acme.example', trustScore: 75, roots: { 'acme.example': 1 }, asOf: '7' },
      reviewedAt: atSecond(2),
      ...over,
    },
  };
}

export function reviewAnswered(over: Partial<ReviewAnswered['data']> = {}): ReviewAnswered {
  return {
    type: 'ReviewAnswered',
    data: { ...someParties, answer: someSealed('answer'), answeredAt: atSecond(3), ...over },
  };
}

export function answerCommand(over: Partial<AnswerReview> = {}): AnswerReview {
  return {
    type: 'AnswerReview',
    transactionId: 'tx-1',
    agent: { agentId: 'receiver', universe: production },
    answer: someSealed('answer'),
    now: atSecond(3),
    ...over,
  };
}
