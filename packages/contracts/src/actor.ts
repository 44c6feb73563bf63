import { nullableText } from './text.ts';
import { z } from 'zod';

/**
 * The kinds of credentials of requests. `call_ref` refers to an authenticated call, which identifies a payer; `claim_token` is the
 * single-use token of a claim link.
 */
export const credentialKind = z.enum([
  'agent_key',
  'signature',
  'production_key',
  'sandbox_key',
  'admin_token',
  'admin_key',
  'claim_token',
  'call_ref',
]);
export type CredentialKind = z.infer<typeof credentialKind>;

/** The caller and its kinds of credentials; part of the metadata of every event that the request causes. */
export const actor = z.object({
  kind: z.enum(['anonymous', 'agent', 'organisation', 'admin', 'operator', 'system']),
  id: nullableText,
  /** Every kind that was verified, needed or not. Absent if not recorded. */
  credentials: z.array(credentialKind).optional(),
});
export type Actor = z.infer<typeof actor>;
