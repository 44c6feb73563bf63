import { DomainError, type OrgIdentity, type Universe } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { sha256Hex } from '../../credentials/hash.ts';
import type { Gateway } from '../../gateway.ts';
import { type Access, type Operation, access } from './access.ts';
import { authenticate } from './authenticate.ts';

/** The operations that nobody but an organisation may ask for. */
export type OrganisationOperation = {
  [Name in Operation]: (typeof access)[Name] extends { apiKey: true; anonymous: false; bearer: readonly [] }
    ? Name
    : never;
}[Operation];

/**
 * The organisation behind a request, by the key that the table asks for.
 *
 * @throws DomainError credential_required, invalid_api_key; the table's own code for the key of the other universe.
 */
export async function authenticateOrganisation(
  gateway: Gateway,
  request: FastifyRequest,
  operation: OrganisationOperation,
): Promise<OrgIdentity> {
  const caller = await authenticate(gateway, request, operation);
  if (caller.kind !== 'organisation') throw new DomainError('credential_required', "an organisation's key is required");
  const { onlyKey }: Access = access[operation];
  if (onlyKey !== undefined && caller.organisation.universe.kind !== onlyKey.universe) {
    throw new DomainError(onlyKey.refusal, wrongKey[onlyKey.universe]);
  }
  return caller.organisation;
}

const wrongKey: Record<Universe['kind'], string> = {
  production: "X-API-KEY must hold the organisation's production key here; a sandbox key is refused",
  sandbox: "X-API-KEY must hold the organisation's sandbox key here; a production key is refused",
};

/** The hash of the key in X-API-KEY, for commands that are decided on the very key that they were asked for with. */
export function presentedKeyHash({ headers }: FastifyRequest): string {
  return sha256Hex(String(headers['x-api-key']));
}
