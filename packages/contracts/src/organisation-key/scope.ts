import { z } from 'zod';

/**
 * What a named key of an organisation may do, each scope on its own: `register` acts as the owner of its agents, `read` reads what the
 * organisation may read, except for payments, which `payments` reads, and webhooks, which `webhooks` sets up and follows.
 */
export const organisationScope = z.enum(['register', 'read', 'payments', 'webhooks']);
export type OrganisationScope = z.infer<typeof organisationScope>;

/** What a route asks of a named key: a scope, nothing (`any`), or that it is none (`none`): only the organisation's own two keys may call it. */
export type RouteScope = OrganisationScope | 'any' | 'none';

/** The scopes of a key, in the order in which they are declared and each once. */
export function sortedScopes(scopes: readonly OrganisationScope[]): OrganisationScope[] {
  return organisationScope.options.filter((scope) => scopes.includes(scope));
}
