import { DomainError } from '@agent-trust/contracts';

/** Nobody speaks for an organisation without its key. Refuses with `org_fields_forbidden`; null counts as absent. */
export function ensureNoOrgFields(orgName: string | null, orgDomain: string | null): void {
  const sent = [orgName === null ? [] : ['org_name'], orgDomain === null ? [] : ['org_domain']].flat();
  if (sent.length > 0) {
    throw new DomainError(
      'org_fields_forbidden',
      `${sent.join(' and ')} may be set only with an organisation's X-API-KEY or the admin credential`,
    );
  }
}
