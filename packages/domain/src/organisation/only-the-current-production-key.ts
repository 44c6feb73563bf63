import { DomainError } from '@agent-trust/contracts';
import type { CreatedOrganisation, OrganisationState } from './state.ts';

/**
 * The keys of an organisation are changed by its production key alone, and by the one that is current now: a key that was replaced
 * while the request was under way is none any more.
 *
 * @throws DomainError invalid_api_key
 */
export function ensureCurrentProductionKey(
  presentedKeyHash: string,
  organisation: OrganisationState,
): CreatedOrganisation {
  if (organisation.kind === 'absent' || organisation.productionKeyHash !== presentedKeyHash) {
    throw new DomainError('invalid_api_key', 'X-API-KEY is not the production key of an organisation');
  }
  return organisation;
}
