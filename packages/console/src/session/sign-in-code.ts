import { createRegistryClient } from '@agent-trust/client';
import { registryUrl } from '../address.ts';
import type { Held } from './session.ts';

const prefix = '#code=';

/** The code of a sign-in link, from the fragment of an address; null if it has none. */
export function codeIn(fragment: string): string | null {
  return fragment.startsWith(prefix) && fragment.length > prefix.length ? fragment.slice(prefix.length) : null;
}

/** Takes the code out of the address, so that neither the history nor a bookmark keeps it. */
export function takeSignInCode(): string | null {
  const code = codeIn(location.hash);
  if (code !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

/**
 * Redeems a code for an operator's key of this tab. A code works once, so it is sent once.
 *
 * @throws RegistryError invalid_sign_in_code for one that is wrong, used or too old.
 */
export async function redeemCode(code: string): Promise<Held> {
  const { key, name, role } = await createRegistryClient({ baseUrl: registryUrl, retry: false }).ops.signIn(code);
  return { key, who: `Operator ${name}`, organisation: null, rights: role, grants: [role] };
}
