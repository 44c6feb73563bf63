import { stack } from './ask.ts';
import { groupsOf } from './oidc-names.ts';
import { bearer } from './registry.ts';

type TokenRequest = { claims?: Record<string, unknown>; header?: Record<string, unknown> };

/** A token of the issuer of the tests. */
export async function tokenOf(request: TokenRequest): Promise<string> {
  const response = await fetch(`${stack.oidcUrl}/token`, { method: 'POST', body: JSON.stringify(request) });
  return String(((await response.json()) as { token: unknown }).token);
}

/** The headers of somebody with a role, whom the issuer vouches for. */
export async function signedIn(
  name: string,
  role: keyof typeof groupsOf | null,
  more: Record<string, unknown> = {},
): Promise<Record<string, string>> {
  const groups = role === null ? ['everybody'] : ['everybody', groupsOf[role]];
  return bearer(await tokenOf({ claims: { preferred_username: name, groups, ...more } }));
}
