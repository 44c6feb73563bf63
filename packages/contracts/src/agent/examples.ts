import type { AgentProfile, MatchResult, OwnerTrustObject, TrustObject } from './wire-output.ts';

/** The agents of all examples: one buys, the other translates for money. */
export const exampleIds = {
  buyer: 'acme-buyer',
  translator: 'globex-translator',
  draft: 'globex-translator-draft',
  transaction: '0199c2f4-7a51-7c3e-9c0b-5d1f2e3a4b5c',
} as const;

export const exampleBaseUrl = 'https://registry.example';
/** As long as a real key. */
export const exampleAgentKey = `registry-agent-sk-${'EXAMPLE'.repeat(6)}A`;
export const exampleClaimLink = `${exampleBaseUrl}/rotate?token=EXAMPLE-claim-token`;

/** After one review. */
export const exampleConfidence: NonNullable<TrustObject['confidence']> = {
  evidence_weight: 0.71875,
  roots: 1,
  interval: [51.9, 100],
};

export const exampleTrustObject: TrustObject = {
  agent_id: exampleIds.translator,
  role: 'agent',
  verified: true,
  trust_score: 78,
  trust_policy: 'v1',
  confidence: exampleConfidence,
  org_id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  org_name: 'Globex',
  org_domain: 'globex.example',
  domain_verified: true,
  specialty: 'Contracts from German into English',
  capabilities: [
    { name: 'machine_translation', weight: 3 },
    { name: 'proofreading', weight: 1 },
  ],
  flags: [],
  routing: {
    protocol: 'a2a',
    accepted_terms_format: null,
    settlement_rail: ['x402'],
    http_methods: ['POST'],
    price_schedule: [{ task: 'page', price: 0.05 }],
    payment_network: 'base',
    payment_pay_to: '0x1111111111111111111111111111111111111111',
    payment_asset: 'USDC',
    pay_via: `${exampleBaseUrl}/pay/${exampleIds.translator}`,
  },
  message_protocol: 'a2a',
  a2a_compliant: true,
  accepted_content_types: ['text/plain', 'application/json'],
  payload_schema: null,
  signup_help: null,
  auth_header_name: null,
  success_rate: 0.96,
  transaction_count: 125,
  last_active: '2026-01-15T09:30:00.000Z',
  recommended_action: 'proceed',
  liveness: {
    live: true,
    last_answered_at: '2026-01-15T09:30:00.000Z',
    success_rate: 0.98,
    p50_answer_ms: 420,
    p95_answer_ms: 1_900,
    timeout_share: 0.01,
    caller_organisations: 12,
    exchanges: 100,
  },
};

/** The same agent as its owner sees it. */
export const exampleOwnerTrustObject: OwnerTrustObject = {
  ...exampleTrustObject,
  routing: { ...exampleTrustObject.routing, endpoint_url: 'https://agents.globex.example/a2a' },
  is_sandbox: false,
  related_agent_id: null,
};

/** Right after an anonymous registration. */
export const exampleNewcomer: OwnerTrustObject = {
  ...exampleOwnerTrustObject,
  agent_id: exampleIds.buyer,
  verified: false,
  trust_score: 40,
  confidence: { evidence_weight: 0, roots: 0, interval: [7.1, 72.9] },
  org_id: null,
  org_name: null,
  org_domain: null,
  domain_verified: false,
  specialty: null,
  capabilities: [{ name: 'procurement', weight: 1 }],
  flags: ['unverified', 'no_transactions', 'no_endpoint', 'low_trust'],
  routing: {
    protocol: null,
    accepted_terms_format: null,
    settlement_rail: null,
    http_methods: null,
    price_schedule: null,
    payment_network: null,
    payment_pay_to: null,
    payment_asset: null,
    pay_via: null,
    endpoint_url: null,
  },
  a2a_compliant: false,
  success_rate: null,
  transaction_count: 0,
  liveness: null,
  recommended_action: 'abort',
};

export const exampleMatch: MatchResult = {
  ...exampleTrustObject,
  match_score: 0.8861,
  match_reasons: [
    {
      required_capability: 'translation',
      matched_capability: 'machine_translation',
      weight: 3,
      how: 'alias',
      similarity: 1,
    },
  ],
  match_parts: {
    capability: { value: 1, weight: 0.6, points: 0.6 },
    trust: { value: 0.78, weight: 0.25, points: 0.195 },
    success: { value: 0.8646, weight: 0.1, points: 0.0865 },
    activity: { value: 0.0924, weight: 0.05, points: 0.0046 },
  },
};

export const exampleProfile: AgentProfile = {
  ...exampleTrustObject,
  contact_info: 'https://globex.example/contact',
  registered_at: '2025-11-03T08:00:00.000Z',
  last_transaction_at: '2026-01-15T09:30:00.000Z',
  ratings_received: [
    {
      transaction_id: exampleIds.transaction,
      caller_agent_id: exampleIds.buyer,
      caller_org_domain: null,
      success: true,
      score: 9,
      reviewed_at: '2026-01-15T09:31:12.000Z',
    },
  ],
};
