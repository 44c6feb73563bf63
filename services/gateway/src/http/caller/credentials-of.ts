import {
  type Actor,
  type AgentIdentity,
  DomainError,
  type OrgIdentity,
  type UpdateCredentials,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { type Access, access } from './access.ts';
import { heldCredentials } from './held-credentials.ts';
import { byApiKey, byBearer, bySignatureBeside } from './authenticate.ts';

/** Every credential of a request, each of them valid; at least one is there. */
export type Credentials = { agent: AgentIdentity | null; organisation: OrgIdentity | null; admin: boolean };

/**
 * Checks every credential that a request carries. Where `authenticate` stops at the one that counts, here all are handed on: on POST
 * /update an organisation's key and an agent's own together mean more than either. One that is sent and not valid is refused, however
 * good the others are.
 *
 * @throws DomainError credential_required, invalid_credential, invalid_api_key; unavailable, overloaded.
 */
export async function authenticateAll(
  gateway: Gateway,
  request: FastifyRequest,
  operation: 'updateAgent',
): Promise<Credentials> {
  const rule: Access = access[operation];
  const { authorization, 'x-api-key': apiKey } = request.headers;
  const organisation = apiKey === undefined ? null : await byApiKey(gateway, request, String(apiKey), rule.badApiKey);
  const bearer = authorization === undefined ? null : await byBearer(gateway, request, authorization, rule.bearer);
  const signer = await bySignatureBeside(gateway, request, bearer ?? undefined);
  if (organisation === null && bearer === null && signer === null) {
    throw new DomainError(
      'credential_required',
      "a credential is required: the agent's own key or signature, the key of its organisation in X-API-KEY, or the admin's",
    );
  }
  return {
    agent: bearer?.kind === 'agent' ? bearer.agent : (signer?.agent ?? null),
    organisation: organisation?.kind === 'organisation' ? organisation.organisation : null,
    admin: bearer?.kind === 'admin',
  };
}

/** Credentials as they go to the decider, who judges what they allow. */
export function toUpdateCredentials({ agent, organisation, admin }: Credentials): UpdateCredentials {
  return {
    agentId: agent?.agentId ?? null,
    organisation,
    admin,
  };
}

/** How several credentials stand in the metadata of the events that they cause: as the most powerful of them. */
export function actorOfAll({ agent, organisation, admin }: Credentials, request: FastifyRequest): Actor {
  const credentials = heldCredentials(request);
  if (admin) return { kind: 'admin', id: null, credentials };
  if (organisation !== null) return { kind: 'organisation', id: organisation.orgId, credentials };
  return { kind: 'agent', id: agent?.agentId ?? null, credentials };
}
