import { headerText } from './http/request-parts.ts';
import type { CredentialKind, Credentials, RequestOptions } from './options.ts';
import type { Signer } from './signature/signer.ts';

/** @throws TypeError for a credential that no header can hold, or a signer without an id or a key; the message never shows it. */
export function readCredentials(credentials: Credentials): Credentials {
  const { agentKey, orgKey, adminToken, adminKey, signer } = credentials;
  for (const [what, value] of Object.entries({ agentKey, orgKey, adminToken, adminKey }))
    if (value !== undefined) headerText(what, value);
  if (signer !== undefined) readSigner(signer);
  return { agentKey, orgKey, adminToken, adminKey, signer };
}

const readSigner = ({ agentId, privateKey }: Signer): void => {
  if (typeof agentId !== 'string' || agentId === '') throw new TypeError('signer.agentId must name the agent');
  const isKey = typeof privateKey === 'function' || (typeof privateKey === 'object' && privateKey !== null);
  if (!isKey) throw new TypeError('signer.privateKey must be a key of generateKeyPair or importKeyPair, or a function');
};

const optionOf: Record<CredentialKind, keyof Credentials> = {
  agent: 'agentKey',
  signature: 'signer',
  organisation: 'orgKey',
  admin: 'adminToken',
  admin_key: 'adminKey',
};

/**
 * Which credentials a request carries: those that `as` names, else the first in the operation's order that the client has. Never more than one by
 * default: an organisation's key beside an agent's makes the agent the organisation's. A signer is used for its own agent only.
 *
 * @throws TypeError if `as` names an unknown credential, one that the client lacks, or two that need the same header.
 */
export function chooseCredentials(
  order: readonly CredentialKind[],
  credentials: Credentials,
  as: RequestOptions['as'],
  agentId?: string,
): readonly CredentialKind[] {
  if (as === 'nobody') return [];
  if (as !== undefined) {
    const named = typeof as === 'string' ? [as] : as;
    for (const kind of named) {
      if (!Object.hasOwn(optionOf, kind))
        throw new TypeError(`as must be nobody or one or several of ${Object.keys(optionOf).join(', ')}`);
      if (credentials[optionOf[kind]] === undefined) throw new TypeError(`the client has no ${optionOf[kind]}`);
    }
    if (named.includes('agent') && named.includes('admin'))
      throw new TypeError('agentKey and adminToken cannot be sent together: both are the Authorization');
    return named;
  }
  const has = (kind: CredentialKind): boolean =>
    kind === 'signature'
      ? credentials.signer !== undefined && (agentId === undefined || credentials.signer.agentId === agentId)
      : credentials[optionOf[kind]] !== undefined;
  const first = order.find(has);
  return first === undefined ? [] : [first];
}

/** The headers of those credentials, except a signature, which is made for each request. */
export function credentialHeaders(
  kinds: readonly CredentialKind[],
  { agentKey, orgKey, adminToken, adminKey }: Credentials,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (kinds.includes('agent')) headers['authorization'] = `Bearer ${agentKey}`;
  if (kinds.includes('admin')) headers['authorization'] = `Bearer ${adminToken}`;
  if (kinds.includes('organisation')) headers['x-api-key'] = String(orgKey);
  if (kinds.includes('admin_key')) headers['x-admin-key'] = String(adminKey);
  return headers;
}
