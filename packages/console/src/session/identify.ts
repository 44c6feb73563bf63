import { createRegistryClient, RegistryError } from '@agent-trust/client';
import { registryUrl } from '../address.ts';
import type { CredentialKind, Held } from './session.ts';

/**
 * Asks the registry whose a key is.
 *
 * @throws RegistryError for a key that the registry does not accept.
 */
export async function identify(kind: CredentialKind, key: string): Promise<Held> {
  switch (kind) {
    case 'organisation':
    case 'sandbox': {
      const whoami = await createRegistryClient({ baseUrl: registryUrl, orgKey: key }).org.whoami();
      const universe = whoami.is_sandbox ? 'sandbox' : 'production';
      if (whoami.is_sandbox !== (kind === 'sandbox'))
        throw new WrongKindError(`this is a key of the ${universe}`, whoami.is_sandbox ? 'sandbox' : 'organisation');
      const { named_key: named } = whoami;
      return {
        key,
        who: `${whoami.org_name} (${universe})`,
        organisation: whoami.org_name,
        rights: named === undefined ? null : `key ${named.name}: ${named.scopes.join(', ')}`,
        // The organisation's own two keys may do all that the scopes are for.
        grants: named?.scopes ?? ['register', 'read', 'payments', 'webhooks'],
      };
    }
    case 'operator': {
      const { name, role } = await createRegistryClient({ baseUrl: registryUrl, adminToken: key }).ops.whoami();
      // The token of the installation names nobody.
      return name === null
        ? {
            key,
            who: 'Operator',
            organisation: null,
            rights: `break-glass: the token of the installation, ${role}`,
            grants: [role, 'break-glass'],
          }
        : { key, who: `Operator ${name}`, organisation: null, rights: role, grants: [role] };
    }
    case 'agent': {
      const whoami = await createRegistryClient({ baseUrl: registryUrl, agentKey: key }).whoami();
      const universe = whoami.is_sandbox ? 'sandbox' : 'production';
      return { key, who: whoami.agent_id, organisation: null, rights: universe, grants: [universe] };
    }
    default:
      return kind satisfies never;
  }
}

/** A key that works, in the place of another kind. */
export class WrongKindError extends Error {
  readonly kind: CredentialKind;

  constructor(message: string, kind: CredentialKind) {
    super(message);
    this.kind = kind;
  }
}

/** Whether an error says that the key itself is not accepted. */
export function isRefusedKey(error: unknown): boolean {
  return error instanceof RegistryError && error.status === 401;
}
