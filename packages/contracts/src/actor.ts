import { nullableText } from './text.ts';
import { z } from 'zod';

/**
 * The kinds of credentials that requests carry. `call_ref` is the reference to an authenticated call by which a payer is known, and
 * `claim_token` the single-use token of a claim link.
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

/** Who asked, by which kind of credential; goes into the metadata of every event that the request causes. */
export const actor = z.object({
  kind: z.enum(['anonymous', 'agent', 'organisation', 'admin', 'operator', 'system']),
  id: nullableText,
  /** Every kind that was checked and held, also those that were not needed. Absent from services that do not say it yet. */
  credentials: z.array(credentialKind).optional(),
});
export type Actor = z.infer<typeof actor>;
