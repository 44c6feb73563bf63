import { DomainError, type UpdateCredentials } from '@agent-trust/contracts';

/** A configuration is pulled into a sandbox, on the word of the sandbox's key; no other credential replaces it. Refuses with `sandbox_key_required`. */
export function ensureSandboxKeyForPull({ organisation }: UpdateCredentials): void {
  if (organisation?.universe.kind === 'sandbox') return;
  throw new DomainError('sandbox_key_required', "pull_from_agent_id needs an organisation's sandbox key in X-API-KEY");
}
