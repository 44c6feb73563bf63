import type { ErrorCode, Universe } from '@agent-trust/contracts';

export type BearerKind = 'agent' | 'admin';

/** What an operation does with the credentials of a request. */
export type Access = {
  /** Whether X-API-KEY is read. An unknown key is then refused with `badApiKey`, never ignored. */
  readonly apiKey: boolean;
  readonly badApiKey: ErrorCode;
  /** Whose bearer credentials are taken in Authorization; none: the header is not read. */
  readonly bearer: readonly BearerKind[];
  /** What a signature of an agent (RFC 9421) is: as good as the agent's key, or what decides alone whatever else is sent. */
  readonly signature: 'none' | 'as_key' | 'decides';
  /** Whether X-Admin-Key is what counts. */
  readonly adminKey: boolean;
  /** Whether the operation can do without a credential. */
  readonly anonymous: boolean;
  /** The universe whose key alone opens the operation, and how the organisation's other key is refused. Absent: either will do. */
  readonly onlyKey?: { readonly universe: Universe['kind']; readonly refusal: ErrorCode };
};

const nothing = {
  apiKey: false,
  badApiKey: 'invalid_api_key',
  bearer: [],
  signature: 'none',
  adminKey: false,
} as const;

const organisation = { ...nothing, anonymous: false, apiKey: true } as const;
const sandboxKey = { ...organisation, onlyKey: { universe: 'sandbox', refusal: 'sandbox_key_required' } } as const;
const productionKey = { ...organisation, onlyKey: { universe: 'production', refusal: 'invalid_api_key' } } as const;

/**
 * Who may do what, by operation id. Ownership (whose agent, which universe) is the decider's to judge:
 * this table only says which credentials are looked at.
 */
export const access = {
  verify: { ...nothing, anonymous: true, apiKey: true },
  match: { ...nothing, anonymous: true, apiKey: true },
  listRegistry: { ...nothing, anonymous: true, apiKey: true },
  getAgent: { ...nothing, anonymous: true, apiKey: true },
  explainTrust: { ...nothing, anonymous: true, apiKey: true },
  getTrustHistory: { ...nothing, anonymous: true, apiKey: true },
  getReviewReceipt: { ...nothing, anonymous: true, apiKey: true },
  registerAgent: { ...nothing, anonymous: true, apiKey: true, bearer: ['admin'] },
  updateAgent: { ...nothing, anonymous: false, apiKey: true, bearer: ['admin', 'agent'], signature: 'as_key' },
  requestRotation: {
    anonymous: true,
    apiKey: true,
    badApiKey: 'invalid_rotation_credential',
    bearer: ['admin', 'agent'],
    signature: 'decides',
    adminKey: false,
  },
  callAgent: { ...nothing, anonymous: false, bearer: ['agent'], signature: 'as_key' },
  reviewExchange: { ...nothing, anonymous: false, bearer: ['agent'], signature: 'as_key' },
  payByGet: { ...nothing, anonymous: true, bearer: ['agent'] },
  payByPost: { ...nothing, anonymous: true, bearer: ['agent'] },
  listEvents: { ...nothing, anonymous: false, bearer: ['admin'] },
  listSettlements: { ...nothing, anonymous: false, bearer: ['admin'] },
  erasePersonalData: { ...nothing, anonymous: false, bearer: ['admin'] },
  createOrganisation: { ...nothing, anonymous: false, adminKey: true },
  whoami: organisation,
  listOrgAgents: organisation,
  getOrgAgent: organisation,
  listAgentEvents: organisation,
  listOrgPayments: organisation,
  issueSandboxKey: productionKey,
  revokeSandboxKey: productionKey,
  replaceOrgKey: productionKey,
  registerWebhook: productionKey,
  listWebhooks: productionKey,
  getWebhook: productionKey,
  deleteWebhook: productionKey,
  replayWebhook: productionKey,
  listWebhookDeliveries: productionKey,
  publishAgent: sandboxKey,
  withdrawAgent: sandboxKey,
  promoteAgent: sandboxKey,
  previewMatch: sandboxKey,
} as const satisfies Record<string, Access>;

export type Operation = keyof typeof access;

/** Whether requests for an operation may be signed, so that the bytes of their bodies have to be kept. */
export function takesSignatures(operationId: string): boolean {
  return Object.hasOwn(access, operationId) && access[operationId as Operation].signature !== 'none';
}
