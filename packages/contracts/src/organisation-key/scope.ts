import { z } from 'zod';

/**
 * What a named key of an organisation may do, each scope on its own: `register` acts as the owner of its agents, `read` reads what the
 * organisation may read, except for payments, which `payments` reads, and webhooks, which `webhooks` sets up and follows.
 */
export const organisationScope = z.enum(['register', 'read', 'payments', 'webhooks']);
export type OrganisationScope = z.infer<typeof organisationScope>;

/** The scopes of a key, in the order in which they are declared and each once. */
export function sortedScopes(scopes: readonly OrganisationScope[]): OrganisationScope[] {
  return organisationScope.options.filter((scope) => scopes.includes(scope));
}
