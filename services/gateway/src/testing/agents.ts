import {
  type AgentIdentity,
  type OrgIdentity,
  type OwnerProfiledAgent,
  type ProfiledAgent,
  production,
} from '@agent-trust/contracts';
import { mintKey } from '../credentials/keys.ts';

/** A public agent with valid defaults, with the contact as in a profile. */
export function publicAgent(changes: Partial<ProfiledAgent> = {}): ProfiledAgent {
  return {
    agentId: 'receiver',
    role: 'agent',
    verified: true,
    trustScore: 75,
    trustPolicy: 'v1',
    orgId: null,
    orgName: 'Acme',
    confidence: null,
    orgDomain: 'acme.test',
    domainVerified: false,
    contactInfo: null,
    specialty: null,
    capabilities: [{ name: 'translate', weight: 3 }],
    flags: ['no_transactions'],
    routing: {
      protocol: null,
      acceptedTermsFormat: null,
      settlementRail: ['x402'],
      httpMethods: ['POST'],
      priceSchedule: null,
      paymentNetwork: null,
      paymentPayTo: null,
      paymentAsset: null,
    },
    payable: true,
    messageProtocol: 'a2a',
    a2aCompliant: false,
    acceptedContentTypes: ['text/plain'],
    payloadSchema: null,
    signupHelp: null,
    authHeaderName: null,
    successRate: null,
    transactionCount: 0,
    registeredAt: '2026-01-01T00:00:00.000Z',
    lastActive: '2026-01-01T00:00:00.000Z',
    lastTransactionAt: null,
    liveness: null,
    recommendedAction: 'proceed',
    ...changes,
  };
}

export function ownerAgent(changes: Partial<OwnerProfiledAgent> = {}): OwnerProfiledAgent {
  return {
    ...publicAgent(),
    endpointUrl: 'https://agent.acme.test/run',
    isSandbox: false,
    relatedAgentId: null,
    ...changes,
  };
}

export const agentKey = mintKey('agent');
export const callerIdentity: AgentIdentity = { agentId: 'caller', universe: production, orgId: null, block: null };

export const orgKey = mintKey('organisation');
export const organisation: OrgIdentity = { orgId: 'org1', orgName: 'Acme', universe: production, namedKey: null };
export const sandboxKey = mintKey('organisationSandbox');
export const sandbox: OrgIdentity = { ...organisation, universe: { kind: 'sandbox', orgId: 'org1' } };
