import { DomainError, type SandboxKeyIssued } from '@agent-trust/contracts';
import { ensureNewKey } from '../a-key-opens-one-universe.ts';
import { ensureCurrentProductionKey } from '../only-the-current-production-key.ts';
import type { OrganisationState } from '../state.ts';

/** `now` is RFC 3339. Only hashes of keys get here. */
export type IssueSandboxKey = {
  type: 'IssueSandboxKey';
  presentedKeyHash: string;
  sandboxKeyHash: string;
  now: string;
};

/** Gives an organisation a sandbox key; it has one at a time. Refusals: invalid_api_key, sandbox_key_exists. */
export function issueSandboxKey(command: IssueSandboxKey, state: OrganisationState): SandboxKeyIssued[] {
  const organisation = ensureCurrentProductionKey(command.presentedKeyHash, state);
  if (organisation.sandboxKeyHash !== null) {
    throw new DomainError(
      'sandbox_key_exists',
      `organisation ${JSON.stringify(organisation.orgName)} has a sandbox key already; it must be revoked before another is issued`,
    );
  }
  ensureNewKey(command.sandboxKeyHash, organisation);
  return [
    {
      type: 'SandboxKeyIssued',
      data: { orgId: organisation.orgId, sandboxKeyHash: command.sandboxKeyHash, issuedAt: command.now },
    },
  ];
}
