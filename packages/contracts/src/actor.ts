import { nullableText } from './text.ts';
import { z } from 'zod';

/**
 * The kinds of credentials of requests. `call_ref` refers to an authenticated call, which identifies a payer; `claim_token` is the
 * single-use token of a claim link, `sign_in_code` the code that signs a browser in. `admin_token` and `admin_key` are the secrets of the installation, `operator_key` and `oidc_token` those of
 * named operators.
 */
export const credentialKind = z.enum([
  'agent_key',
  'signature',
  'production_key',
  'sandbox_key',
  'admin_token',
  'admin_key',
  'operator_key',
  'oidc_token',
  'claim_token',
  'sign_in_code',
  'call_ref',
]);
export type CredentialKind = z.infer<typeof credentialKind>;

/** The caller and its kinds of credentials; part of the metadata of every event that the request causes. */
export const actor = z.object({
  /** `admin` and an `operator` without an id are the two secrets of the installation; any other operator is named. */
  kind: z.enum(['anonymous', 'agent', 'organisation', 'admin', 'operator', 'system']),
  /** Of an operator: the name of the key, or what the issuer of the token calls it. */
  id: nullableText,
  /** Who vouches for the id of an operator; absent if the registry itself does. */
  issuer: z.string().optional(),
  /** The named key of an organisation that was used; absent if it was one of its own two. */
  keyId: z.string().optional(),
  /** Every kind that was verified, needed or not. Absent if not recorded. */
  credentials: z.array(credentialKind).optional(),
});
export type Actor = z.infer<typeof actor>;
