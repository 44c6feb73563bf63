import {
  type Actor,
  type AgentIdentity,
  DomainError,
  type ErrorCode,
  type OrgIdentity,
  authenticateAgentKey,
  authenticateOrgKey,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import { sameSecret, sha256Hex } from '../../credentials/hash.ts';
import { isAgentKey, isOrgKey } from '../../credentials/keys.ts';
import type { Gateway } from '../../gateway.ts';
import { type Access, type BearerKind, type Operation, access } from './access.ts';
import { refuseForeignPage } from './admin-key.ts';
import { heldCredentials, noteCredential } from './held-credentials.ts';
import { type Signer, bySignature } from './signature/by-signature.ts';
import { signatureRefusal } from './signature/refuse.ts';

/** Who is behind a request. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'agent'; agent: AgentIdentity /** Where it is by a signature, not by the agent's key. */; signer?: Signer }
  | { kind: 'organisation'; organisation: OrgIdentity }
  | { kind: 'admin' };

/**
 * Finds out who is behind a request, by the rules of the operation. An organisation's key goes before a bearer credential; on
 * POST /register both are checked and the organisation's counts, since it decides whose the agent is. A signature goes before everything
 * where it `decides`; elsewhere it stands beside a bearer key, and with both sent both must hold and name the same agent.
 *
 * Nothing is remembered between requests: a rotated key fails everywhere from the moment the read model knows.
 *
 * @throws DomainError credential_required, invalid_credential, invalid_api_key (or the operation's own code); unavailable, overloaded.
 */
export async function authenticate(
  gateway: Gateway,
  request: FastifyRequest,
  operation: Exclude<Operation, 'createOrganisation'>,
): Promise<Caller> {
  const rule: Access = access[operation];
  const { authorization } = request.headers;
  const apiKey = request.headers['x-api-key'];
  if (rule.signature === 'decides') {
    const signer = await bySignature(gateway, request);
    if (signer !== null) return signed(signer);
  }
  const organisation =
    rule.apiKey && apiKey !== undefined ? await byApiKey(gateway, request, String(apiKey), rule.badApiKey) : undefined;
  if (organisation !== undefined && operation !== 'registerAgent') return organisation;
  const bearer =
    rule.bearer.length > 0 && authorization !== undefined
      ? await byBearer(gateway, request, authorization, rule.bearer)
      : undefined;
  const signer = rule.signature === 'as_key' ? await bySignatureBeside(gateway, request, bearer) : null;
  const caller = organisation ?? bearer ?? (signer === null ? undefined : signed(signer));
  if (caller !== undefined) return caller;
  if (rule.anonymous) return { kind: 'anonymous' };
  throw new DomainError('credential_required', needed(rule));
}

const signed = (signer: Signer): Caller => ({ kind: 'agent', agent: signer.agent, signer });

/**
 * The agent that signed a request which may carry a bearer key, too. Those of two agents are no credential of either: whoever made such
 * a request has mixed something up, and which of the two was meant is not for us to guess.
 */
export async function bySignatureBeside(
  gateway: Gateway,
  request: FastifyRequest,
  bearer: Caller | undefined,
): Promise<Signer | null> {
  const signer = await bySignature(gateway, request);
  if (signer !== null && bearer?.kind === 'agent' && bearer.agent.agentId !== signer.agent.agentId) {
    throw signatureRefusal(gateway, request, 'credentials_disagree', { keyId: signer.agent.agentId });
  }
  return signer;
}

/** The caller of an operation that only agents may ask for. */
export async function authenticateAgent(
  gateway: Gateway,
  request: FastifyRequest,
  operation: 'callAgent' | 'reviewExchange',
): Promise<AgentIdentity> {
  const caller = await authenticate(gateway, request, operation);
  if (caller.kind !== 'agent') throw new DomainError('credential_required', needed(access[operation]));
  return caller.agent;
}

/** How the caller of a request stands in the metadata of the events that it causes. */
export function actorOf(caller: Caller, request: FastifyRequest): Actor {
  const credentials = heldCredentials(request);
  switch (caller.kind) {
    case 'anonymous':
      return { kind: 'anonymous', id: null, credentials };
    case 'agent':
      return { kind: 'agent', id: caller.agent.agentId, credentials };
    case 'organisation':
      return { kind: 'organisation', id: caller.organisation.orgId, credentials };
    case 'admin':
      return { kind: 'admin', id: null, credentials };
    default:
      return caller satisfies never;
  }
}

const needed = (rule: Access): string => {
  if (rule.apiKey) return "an organisation's key in X-API-KEY is required";
  if (!rule.bearer.includes('agent')) return "the operator's token (Authorization: Bearer …) is required";
  return "an agent's key (Authorization: Bearer registry-agent-sk-…) or its signature under the label sig1 is required";
};

export async function byApiKey(
  gateway: Gateway,
  request: FastifyRequest,
  apiKey: string,
  badApiKey: ErrorCode,
): Promise<Caller> {
  const { organisation } = isOrgKey(apiKey)
    ? await ask(gateway, request, authenticateOrgKey, { keyHash: sha256Hex(apiKey) })
    : { organisation: null };
  if (organisation === null) throw new DomainError(badApiKey, 'X-API-KEY is not the key of an organisation');
  noteCredential(request, organisation.universe.kind === 'sandbox' ? 'sandbox_key' : 'production_key');
  return { kind: 'organisation', organisation };
}

export async function byBearer(
  gateway: Gateway,
  request: FastifyRequest,
  authorization: string,
  kinds: readonly BearerKind[],
): Promise<Caller> {
  const token = /^Bearer +([\x21-\x7e]+)$/iu.exec(authorization)?.[1];
  if (token !== undefined) {
    if (kinds.includes('admin') && sameSecret(token, gateway.settings.ADMIN_TOKEN)) {
      refuseForeignPage(gateway, request);
      noteCredential(request, 'admin_token');
      return { kind: 'admin' };
    }
    if (kinds.includes('agent') && isAgentKey(token)) {
      const { agent } = await ask(gateway, request, authenticateAgentKey, { keyHash: sha256Hex(token) });
      if (agent !== null) {
        noteCredential(request, 'agent_key');
        return { kind: 'agent', agent };
      }
    }
  }
  throw new DomainError('invalid_credential', 'the credential in Authorization is not valid here');
}
