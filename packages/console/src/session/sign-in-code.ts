import { createRegistryClient } from '@agent-trust/client';
import { registryUrl } from '../address.ts';
import type { SessionStore } from './session.ts';

/** The single-use code in the fragment of an address, `#code=…`, as `npm start` prints it; null for none. */
export function codeOf(fragment: string): string | null {
  const code = new URLSearchParams(fragment.replace(/^#/u, '')).get('code');
  return code === '' ? null : code;
}

/**
 * Signs this tab in as operator by the code in its address, which is taken out of the address and the history before anything else happens. A code that
 * does not work any more leaves the tab as it is: the reader can paste a key.
 */
export async function signInByCode(store: SessionStore): Promise<void> {
  const code = codeOf(location.hash);
  if (code === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    const { key, name, role } = await createRegistryClient({ baseUrl: registryUrl }).ops.signIn(code);
    store.signIn('operator', { key, who: `${name} (${role})`, rights: null });
  } catch {
    // Used before, expired, or not the registry's.
  }
}
