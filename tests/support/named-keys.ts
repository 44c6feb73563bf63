import { waitFor } from '@agent-trust/test-kit';
import { type OrganisationScope, organisationScope } from '@agent-trust/contracts';
import { ask, type Answer, type HeaderMap, post } from './ask.ts';
import { orgKey, unique } from './registry.ts';

export type NamedKey = { keyId: string; name: string; secret: string; key: HeaderMap };

/** Creates a named key by an organisation's own key; with every scope unless said otherwise. */
export async function createNamedKey(
  own: HeaderMap,
  scopes: readonly OrganisationScope[] = organisationScope.options,
  more: { name?: string; expires_at?: string } = {},
  gateway?: string,
): Promise<NamedKey> {
  const name = unique('key');
  const { status, body, text } = await post('/org/keys', { name, scopes, ...more }, own, gateway);
  if (status !== 201) throw new Error(`creating a named key returned ${status}: ${text}`);
  const secret = String(body['api_key']);
  return { keyId: String(body['key_id']), name: more.name ?? name, secret, key: orgKey(secret) };
}

export function revokeNamedKey(own: HeaderMap, key: string, gateway?: string): Promise<Answer> {
  const at = gateway === undefined ? {} : { gateway };
  return ask('DELETE', `/org/keys/${encodeURIComponent(key)}`, { headers: own, ...at });
}

/** A named key that has expired by now. */
export async function expiredNamedKey(own: HeaderMap): Promise<NamedKey> {
  let expiresAt = 0;
  // A request that takes longer than the key would live is refused.
  const made = await waitFor(() => {
    expiresAt = Date.now() + 1_000;
    return createNamedKey(own, undefined, { expires_at: new Date(expiresAt).toISOString() });
  });
  // Only the clock lets a key expire.
  await new Promise((resolve) => setTimeout(resolve, expiresAt - Date.now() + 50));
  return made;
}
