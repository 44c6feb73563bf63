import { DomainError, type RegistrationCredential } from '@agent-trust/contracts';

/**
 * Only an organisation's sandbox key clones: a clone is a draft of an agent that the organisation owns already. Refuses with
 * `sandbox_key_required`; returns the id of the organisation.
 */
export function ensureSandboxKey(credential: RegistrationCredential): string {
  if (credential.kind === 'organisation' && credential.universe.kind === 'sandbox') return credential.orgId;
  throw new DomainError('sandbox_key_required', "clone_from_agent_id needs an organisation's sandbox key in X-API-KEY");
}
