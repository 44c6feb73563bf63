import { fileURLToPath } from 'node:url';
import { type AgentConfiguration, eventDefinitions, type RegistryEvent } from '@agent-trust/contracts';
import { checkGoldenFiles, createEventRegistry } from '@agent-trust/event-log';
import { expect, test } from 'vitest';

/*
 * Bug: somebody changes the shape of an event that logs hold already, and an old log no longer replays.
 * Method: one file for each version that was ever released; each must decode for ever. A new version gets its file with
 * `UPDATE_GOLDEN=1` from the examples below, which fill every field; an existing file is never written again.
 */
const dir = fileURLToPath(new URL('../../packages/contracts/golden/', import.meta.url));

const hash = (digit: string): string => digit.repeat(64);
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute, 5, 678)).toISOString();
const sealed = { keyId: '3f0c1b9e-52a7-4c1d-9b62-0a7d6c0f4e21', sealed: 'c2VhbGVkIHRleHQ' };
const sandbox = { kind: 'sandbox', orgId: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' } as const;
const parties = {
  transactionId: '6f1c2a34-9d0e-4b7f-8a55-1c2d3e4f5a6b',
  callerAgentId: 'acme-buyer',
  receiverAgentId: 'quote-bot ✓',
  universe: { kind: 'production' },
} as const;
const configuration: AgentConfiguration = {
  capabilities: [
    { name: 'freight_quote', weight: 3 },
    { name: 'route_planning', weight: 1 },
  ],
  endpointUrl: 'https://agent.acme.example/a2a',
  protocol: 'https',
  acceptedTermsFormat: 'json',
  settlementRail: ['x402', 'manual'],
  httpMethods: ['POST', 'GET'],
  specialty: 'less-than-truckload',
  priceSchedule: [{ task: 'quote', price: 0.25 }],
  paymentNetwork: 'base',
  paymentPayTo: '0x00000000000000000000000000000000000000aa',
  paymentAsset: 'USDC',
  messageProtocol: 'a2a',
  a2aCompliant: true,
  acceptedContentTypes: ['text/plain', 'application/json'],
  payloadSchema: { currency: 'EUR', dateFormat: 'ISO 8601', quantityUnit: 'pallet', weightUnit: 'kg' },
  signupHelp: 'https://acme.example/signup',
  authHeaderName: 'X-Acme-Key',
};

const examples: { [Event in RegistryEvent as Event['type']]: Event['data'] } = {
  AgentRegistered: {
    agentId: 'acme-buyer',
    universe: sandbox,
    orgId: sandbox.orgId,
    orgName: 'Acme Ltd',
    orgDomain: 'acme.example',
    verified: true,
    trustPrior: 75,
    publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    contact: { contactInfo: sealed, contactEmail: { ...sealed, sealed: 'c2VhbGVkIGVtYWls' } },
    configuration,
    registeredAt: at(0),
  },
  ClaimIssued: {
    agentId: 'acme-buyer',
    claimTokenHash: hash('a'),
    reason: 'registration',
    issuedAt: at(0),
    expiresAt: at(30),
  },
  KeyRotated: { agentId: 'acme-buyer', keyHash: hash('b'), claimTokenHash: hash('a'), rotatedAt: at(1) },
  OrgDomainReserved: { domain: 'acme.example', agentId: 'acme-buyer', orgId: sandbox.orgId, reservedAt: at(0) },
  OrgDomainReleased: {
    domain: 'acme.example',
    agentId: 'acme-buyer',
    reservationRevision: 0,
    releasedAt: at(2),
  },
  OrgDomainReservationLapsed: {
    agentId: 'acme-buyer',
    domain: 'acme.example',
    reservationRevision: 0,
    lapsedAt: at(1),
  },
  ConfigurationChanged: {
    agentId: 'acme-buyer',
    configuration,
    changedFields: ['capabilities', 'priceSchedule'],
    changedAt: at(2),
  },
  ConfigurationPulled: {
    agentId: 'acme-buyer-draft',
    fromAgentId: 'acme-buyer',
    configuration,
    changedFields: ['endpointUrl'],
    pulledAt: at(3),
  },
  ConfigurationPromoted: {
    agentId: 'acme-buyer',
    fromAgentId: 'acme-buyer-draft',
    configuration,
    changedFields: ['specialty', 'a2aCompliant'],
    promotedAt: at(4),
  },
  ContactChanged: {
    agentId: 'acme-buyer',
    contact: { contactInfo: null, contactEmail: sealed },
    changedAt: at(5),
  },
  PersonalDataErased: { agentId: 'acme-buyer', keyIds: [sealed.keyId], erasedAt: at(15) },
  PublicKeyReplaced: {
    agentId: 'acme-buyer',
    publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    replacedAt: at(6),
  },
  AgentAdopted: { agentId: 'acme-buyer', orgId: sandbox.orgId, orgName: 'Acme Ltd', adoptedAt: at(7) },
  OrgNameChanged: { agentId: 'acme-buyer', orgName: 'Acme Holding', changedAt: at(8) },
  OrgDomainChanged: { agentId: 'acme-buyer', orgDomain: 'buy.acme.example', changedAt: at(9) },
  ClonePaired: { agentId: 'acme-buyer', relatedAgentId: 'acme-buyer-draft', pairedAt: at(10) },
  AgentPublished: { agentId: 'acme-buyer', orgId: sandbox.orgId, publishedAt: at(11) },
  AgentWithdrawn: { agentId: 'acme-buyer', orgId: sandbox.orgId, withdrawnAt: at(12) },
  CapabilityDefined: {
    name: 'freight_quote',
    category: 'logistics',
    description: 'Prices the transport of goods between two places.',
    aliases: ['shipping_quote', 'cargo_pricing'],
    phrases: ['what does it cost to ship a pallet to Lyon'],
    definedAt: at(0),
  },
  CapabilityRetired: { name: 'fax_sending', retiredAt: at(1) },
  CapabilityConfirmationAnswered: {
    agentId: 'acme-buyer',
    universe: sandbox,
    submitted: 'freight_quotes',
    candidate: 'freight_quote',
    accepted: true,
    answeredAt: at(2),
  },
  SandboxKeyIssued: { orgId: sandbox.orgId, sandboxKeyHash: hash('e'), issuedAt: at(13) },
  SandboxKeyRevoked: { orgId: sandbox.orgId, revokedAt: at(12) },
  ProductionKeyReplaced: { orgId: sandbox.orgId, productionKeyHash: hash('f'), replacedAt: at(14) },
  OrganisationCreated: {
    orgId: sandbox.orgId,
    orgName: 'Acme Ltd',
    contactEmail: 'ops@acme.example',
    productionKeyHash: hash('c'),
    sandboxKeyHash: hash('d'),
    createdAt: at(0),
  },
  ExchangeStarted: {
    ...parties,
    messageProtocol: 'mcp',
    httpMethod: 'POST',
    streaming: true,
    requestDigest: hash('e'),
    requestBytes: 512,
    startedAt: at(2),
    endsWithinMs: 90_000,
  },
  ExchangeCompleted: {
    ...parties,
    statusCode: 200,
    responseDigest: hash('f'),
    responseBytes: 2048,
    durationMs: 12.5,
    completedAt: at(3),
  },
  ExchangeFailed: { ...parties, reason: 'timeout', durationMs: 30_000, failedAt: at(3) },
  ExchangeAbandoned: { ...parties, abandonedAt: at(9) },
  ExchangeReviewed: {
    ...parties,
    success: true,
    score: 9,
    reviewer: {
      orgId: sandbox.orgId,
      orgDomain: null,
      trustScore: 72,
      roots: { 'acme.example': 0.75, none: 0.25 },
    },
    reviewedAt: at(4),
  },
  SettlementRecorded: {
    settlementId: '7c9e6679-7425-80de-944b-e07fc1f90ae7',
    universe: parties.universe,
    receiverAgentId: parties.receiverAgentId,
    callerAgentId: parties.callerAgentId,
    callRef: parties.transactionId,
    attribution: 'call_ref',
    via: 'pay',
    settlementRail: 'x402',
    x402Version: 2,
    scheme: 'exact',
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    currency: 'USDC',
    decimals: 6,
    amountAtomic: '10000',
    payeeAddress: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    payerAddress: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
    confirmationRef: '0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef',
    blockNumber: 12_345,
    settledAt: at(5),
  },
  TrustPolicyActivated: {
    policy: {
      name: 'strict-2026',
      formula: 'v1',
      constants: {
        strength: 8,
        rootShareMax: 0.15,
        failureFactor: 0.25,
        badBelow: 0.6,
        badWeight: 2,
        weightMin: 0.000001,
        halfLifeDays: 60,
        recentAgeDaysMax: 45,
        recentPerRootMax: 2,
        fastFallPoints: 7.5,
      },
      priors: { verified: 70, unverified: 35 },
    },
    previousPolicy: 'v1',
    activatedAt: at(15),
  },
  WebhookRegistered: {
    webhookId: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
    orgId: sandbox.orgId,
    url: 'https://hooks.acme.example/trust',
    agentIds: ['acme-buyer', 'quote-bot ✓'],
    secretSalt: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ',
    registeredAt: at(16),
  },
  WebhookDeleted: {
    webhookId: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
    orgId: sandbox.orgId,
    deletedAt: at(18),
  },
  WebhookReplayRequested: {
    webhookId: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
    orgId: sandbox.orgId,
    fromPosition: '48213',
    requestedAt: at(17),
  },
};

test('every released version of every event decodes to its current shape', async () => {
  const registry = createEventRegistry(eventDefinitions);
  await expect(checkGoldenFiles(registry, dir, examples)).resolves.toBeUndefined();
});

test('the type RegistryEvent names exactly the events that are defined', () => {
  expect(Object.keys(examples).sort()).toEqual(eventDefinitions.map(({ type }) => type).sort());
});
