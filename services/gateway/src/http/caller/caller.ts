import {
  type Actor,
  agentBlocked,
  type AgentIdentity,
  type CredentialKind,
  DomainError,
  type OrgIdentity,
  type OwnerAuthority,
  type Route,
  type RouteCredential,
  type Universe,
  production,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { sha256Hex } from '../../credentials/keys.ts';
import { agentOfBearer, ensureAdminKey, type Identifying, isOfRegistry, organisationOfKey } from './credentials.ts';
import { actorOfOperator, ensureRole, type Operator, operatorOfBearer } from './operator/operator.ts';
import { type Signer, signerOf } from './signature/signer.ts';
import { signatureRefusal } from './signature/refuse.ts';

export type AnonymousCaller = { kind: 'anonymous' };
/** `signer` is null if the agent sent only its key. */
export type AgentCaller = { kind: 'agent'; agent: AgentIdentity; signer: Signer | null };
export type OrganisationCaller = { kind: 'organisation'; organisation: OrgIdentity };
export type OperatorCaller = { kind: 'operator'; operator: Operator };

type CallerBy = {
  none: AnonymousCaller;
  agent: AgentCaller;
  signature: AgentCaller;
  organisation: OrganisationCaller;
  production_key: OrganisationCaller;
  sandbox_key: OrganisationCaller;
  admin_token: OperatorCaller;
  admin_key: OperatorCaller;
  operator: OperatorCaller;
};

/** The possible callers of a route that reads these credentials. */
export type CallerOf<Credential extends RouteCredential> = CallerBy[Credential];
export type Caller = CallerOf<RouteCredential>;

/** For whose agents a caller with a credential may act. */
export function ownerAuthorityOf(caller: AgentCaller | OrganisationCaller | OperatorCaller): OwnerAuthority {
  switch (caller.kind) {
    case 'organisation':
      return { kind: 'organisation', orgId: caller.organisation.orgId, universe: caller.organisation.universe };
    case 'agent':
      return { kind: 'agent', agentId: caller.agent.agentId };
    case 'operator':
      return { kind: 'admin' };
    default:
      return caller satisfies never;
  }
}

/** Whose requests those of a caller are, for the limits of organisations; null for nobody's. */
export function holderOf(caller: Caller): { orgId: string; universe: Universe } | null {
  switch (caller.kind) {
    case 'organisation':
      return caller.organisation;
    case 'agent':
      return holderOfAgent(caller.agent);
    case 'operator':
    case 'anonymous':
      return null;
    default:
      return caller satisfies never;
  }
}

/** The organisation of an agent, for which it acts; null if it has none. */
export function holderOfAgent({ orgId, universe }: AgentIdentity): { orgId: string; universe: Universe } | null {
  return orgId === null ? null : { orgId, universe };
}

export type Credentials = {
  organisation: OrgIdentity | null;
  operator: Operator | null;
  agentByKey: AgentIdentity | null;
  signer: Signer | null;
};

/** The result of identifying a request's sender. */
export type Identified<Credential extends RouteCredential> = {
  caller: CallerOf<Credential>;
  credentials: Credentials;
  /** The caller in the metadata of events. */
  actor: Actor;
};

type CredentialRules<Credential extends RouteCredential = RouteCredential> = Pick<
  Route,
  'method' | 'path' | 'operatorRole' | 'organisationScope' | 'severalCredentials' | 'badApiKey' | 'relayed'
> & { credentials: Credential[] };

/**
 * Identifies the caller of a request by the rules of its route. Whose a key is may be answered from memory, by its hash: a replaced key fails
 * everywhere from the moment at which its replacement is acknowledged (docs/consistency.md).
 * @throws DomainError agent_suspended, agent_retired, operator_role_too_low, org_key_scope_missing, credential_required, invalid_credential, invalid_api_key (or the route's own code), sandbox_key_required,
 * invalid_admin_key, browser_request_refused, unavailable, overloaded; HttpRefusal rate_limited.
 */
export async function identify<Credential extends RouteCredential>(
  gateway: Identifying,
  request: FastifyRequest,
  route: CredentialRules<Credential>,
): Promise<Identified<Credential>> {
  const credentials = await validCredentials(gateway, request, route);
  for (const agent of [credentials.agentByKey, credentials.signer?.agent]) {
    if (agent?.block != null) throw agentBlocked(agent.agentId, agent.block);
  }
  if (credentials.operator !== null) ensureRole(credentials.operator, route);
  if (credentials.organisation !== null) ensureScope(credentials.organisation, route);
  const caller = callerAmong(credentials, route);
  return {
    // Only credentials of the route were read.
    caller: caller as CallerOf<Credential>,
    credentials,
    actor: { ...actorOf(caller), credentials: kindsOf(credentials) },
  };
}

const validCredentials = async (
  gateway: Identifying,
  request: FastifyRequest,
  { credentials: reads, severalCredentials, badApiKey, relayed }: CredentialRules,
): Promise<Credentials> => {
  const { authorization, 'x-api-key': apiKey } = request.headers;
  const found: Credentials = { organisation: null, operator: null, agentByKey: null, signer: null };
  const readsAll = severalCredentials === 'check_all' || severalCredentials === 'combine';
  if (reads.includes('admin_key')) return { ...found, operator: await operatorOfHeaders(gateway, request, reads) };
  if (severalCredentials === 'signature_decides') {
    found.signer = await signerOf(gateway, request);
    if (found.signer !== null) return found;
  }
  const organisationKey = reads.find((one) => names[one] === anyOrganisationKey);
  if (organisationKey !== undefined && apiKey !== undefined) {
    found.organisation = await organisationOfKey(gateway, request, String(apiKey), badApiKey ?? 'invalid_api_key');
    ensureUniverse(found.organisation, organisationKey);
    if (!readsAll) return found;
  }
  const readsBearer = reads.some((one) => one === 'agent' || one === 'admin_token' || one === 'operator');
  // On a relaying route Authorization may be meant for the agent behind it.
  if (readsBearer && authorization !== undefined && (relayed === undefined || isOfRegistry(gateway, authorization))) {
    found.operator = await operatorOfBearer(gateway, request, authorization, reads);
    if (found.operator === null && reads.includes('agent')) {
      found.agentByKey = await agentOfBearer(gateway, request, authorization);
    }
    if (found.operator === null && found.agentByKey === null) {
      throw new DomainError('invalid_credential', 'the credential in Authorization is not valid here');
    }
  }
  if (reads.includes('signature') && severalCredentials !== 'signature_decides') {
    found.signer = await signerOf(gateway, request);
    ensureOneAgent(gateway, request, found);
  }
  return found;
};

/** X-Admin-Key, or without it the bearer credential of a named operator. @throws DomainError as `ensureAdminKey` does */
const operatorOfHeaders = async (
  gateway: Identifying,
  request: FastifyRequest,
  reads: readonly RouteCredential[],
): Promise<Operator> => {
  const { 'x-admin-key': adminKey, authorization } = request.headers;
  const named =
    adminKey === undefined && authorization !== undefined
      ? await operatorOfBearer(gateway, request, authorization, reads)
      : null;
  if (named !== null) return named;
  ensureAdminKey(gateway, request);
  return { by: 'admin_key' };
};

/** If credentials combine, an operator's takes precedence; otherwise the organisation's key. */
const callerAmong = (
  { organisation, operator, agentByKey, signer }: Credentials,
  { credentials: reads, severalCredentials }: CredentialRules,
): Caller => {
  if (operator !== null && (organisation === null || severalCredentials === 'combine')) {
    return { kind: 'operator', operator };
  }
  if (organisation !== null) return { kind: 'organisation', organisation };
  const agent = agentByKey ?? signer?.agent;
  if (agent !== undefined) return { kind: 'agent', agent, signer };
  if (reads.includes('none')) return { kind: 'anonymous' };
  throw new DomainError(
    'credential_required',
    `required: ${[...new Set(reads.map((one) => names[one]))].join(', or ')}`,
  );
};

const anyOrganisationKey = "an organisation's key in X-API-KEY";
const anyOperator = "an operator's key or token (Authorization: Bearer …)";
const names: Record<RouteCredential, string> = {
  none: 'nothing',
  agent: "an agent's key (Authorization: Bearer registry-agent-sk-…)",
  signature: "an agent's signature under the label sig1",
  organisation: anyOrganisationKey,
  production_key: anyOrganisationKey,
  sandbox_key: anyOrganisationKey,
  admin_token: anyOperator,
  operator: anyOperator,
  admin_key: "the operator's key in X-Admin-Key",
};

const actorOf = (caller: Caller): Omit<Actor, 'credentials'> => {
  switch (caller.kind) {
    case 'agent':
      return { kind: 'agent', id: caller.agent.agentId };
    case 'organisation':
      return { kind: 'organisation', id: caller.organisation.orgId, ...keyIdOf(caller.organisation) };
    case 'anonymous':
      return { kind: 'anonymous', id: null };
    case 'operator':
      return actorOfOperator(caller.operator);
    default:
      return caller satisfies never;
  }
};

const keyIdOf = ({ namedKey }: OrgIdentity): Pick<Actor, 'keyId'> =>
  namedKey === null ? {} : { keyId: namedKey.keyId };

const kindsOf = ({ organisation, operator, agentByKey, signer }: Credentials): CredentialKind[] => [
  ...(organisation === null ? [] : ([`${organisation.universe.kind}_key`] as const)),
  ...(operator === null ? [] : [operator.by]),
  ...(agentByKey === null ? [] : (['agent_key'] as const)),
  ...(signer === null ? [] : (['signature'] as const)),
];

/** A request with credentials of two agents is refused: which of them is meant is unknown. */
const ensureOneAgent = (gateway: Identifying, request: FastifyRequest, { agentByKey, signer }: Credentials): void => {
  if (agentByKey === null || signer === null || agentByKey.agentId === signer.agent.agentId) return;
  throw signatureRefusal(gateway, request, 'credentials_disagree', { keyId: signer.agent.agentId });
};

const ensureUniverse = ({ universe }: OrgIdentity, read: RouteCredential): void => {
  if (read === 'sandbox_key' && universe.kind !== 'sandbox') {
    throw new DomainError(
      'sandbox_key_required',
      "X-API-KEY must hold the organisation's sandbox key here; a production key is refused",
    );
  }
  if (read === 'production_key' && universe.kind !== 'production') {
    throw new DomainError(
      'invalid_api_key',
      "X-API-KEY must hold the organisation's production key here; a sandbox key is refused",
    );
  }
};

/** @throws DomainError org_key_scope_missing, which names the scope that the route needs */
const ensureScope = (
  { namedKey }: OrgIdentity,
  { method, path, organisationScope: needed = 'none' }: CredentialRules,
): void => {
  if (namedKey === null || needed === 'any') return;
  const { name, scopes } = namedKey;
  if (needed !== 'none' && scopes.includes(needed)) return;
  const has = `the key ${JSON.stringify(name)} has the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(', ')}`;
  const needs =
    needed === 'none' ? "is for the organisation's own production or sandbox key" : `needs the scope ${needed}`;
  throw new DomainError('org_key_scope_missing', `${has}; ${method} ${path} ${needs}`);
};

/** The universe of a reader: its sandbox for a sandbox key, production for everybody else. */
export function universeOf(caller: AnonymousCaller | OrganisationCaller): Universe {
  return caller.kind === 'organisation' ? caller.organisation.universe : production;
}

/** The hash of the key in X-API-KEY, for commands that depend on this very key. */
export function presentedKeyHash({ headers }: FastifyRequest): string {
  return sha256Hex(String(headers['x-api-key']));
}
