import { ask, adminToken, type Answer, type HeaderMap, post } from './ask.ts';
import { bearer, unique } from './registry.ts';

export type TestOperator = { keyId: string; name: string; key: string; auth: HeaderMap };

/** Creates a key of an operator; by the token of the installation, unless `by` says otherwise. */
export async function createOperatorKey(
  role: 'viewer' | 'operator' | 'admin',
  { name = unique(role), by = adminToken }: { name?: string; by?: HeaderMap } = {},
): Promise<TestOperator> {
  const { status, body, text } = await post('/ops/keys', { name, role }, by);
  if (status !== 201) throw new Error(`creating an operator's key returned ${status}: ${text}`);
  const key = String(body['key']);
  return { keyId: String(body['key_id']), name, key, auth: bearer(key) };
}

export function revokeOperatorKey(key: string, by: HeaderMap = adminToken): Promise<Answer> {
  const path = `/ops/keys/${encodeURIComponent(key)}/revoke`;
  return ask('POST', path, { body: { reason: 'The test is over.' }, headers: by });
}

let admin: Promise<TestOperator> | undefined;
/** The headers of an operator with the role admin, the same for all tests of a worker. */
export async function adminOperator(): Promise<HeaderMap> {
  admin ??= createOperatorKey('admin');
  return (await admin).auth;
}
