import { DomainError, type SandboxKeyRevoked } from '@agent-trust/contracts';
import { ensureCurrentProductionKey } from '../only-the-current-production-key.ts';
import type { OrganisationState } from '../state.ts';

/** `now` is RFC 3339. */
export type RevokeSandboxKey = { type: 'RevokeSandboxKey'; presentedKeyHash: string; now: string };

/** Ends the sandbox key. The sandbox and its agents stay, for the next key. Refusals: invalid_api_key, sandbox_key_absent. */
export function revokeSandboxKey(command: RevokeSandboxKey, state: OrganisationState): SandboxKeyRevoked[] {
  const organisation = ensureCurrentProductionKey(command.presentedKeyHash, state);
  if (organisation.sandboxKeyHash === null) {
    throw new DomainError(
      'sandbox_key_absent',
      `organisation ${JSON.stringify(organisation.orgName)} has no sandbox key`,
    );
  }
  return [{ type: 'SandboxKeyRevoked', data: { orgId: organisation.orgId, revokedAt: command.now } }];
}
