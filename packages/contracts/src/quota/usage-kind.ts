import { z } from 'zod';

/** What is counted of an organisation, by UTC days: calls and payments, registrations, and reads. */
export const usageKind = z.enum(['calls', 'registrations', 'reads']);
export type UsageKind = z.infer<typeof usageKind>;
export const usageKinds: readonly UsageKind[] = usageKind.options;

const ofOrganisations: ReadonlySet<string> = new Set([
  'organisation',
  'production_key',
  'sandbox_key',
  'agent',
  'signature',
]);

/** As what a request to a route counts, if it is made with a credential of an organisation or of its agent; null if it does not count. */
export function usageKindOf(route: {
  method: string;
  credentials: readonly string[];
  countsAs?: UsageKind | null;
}): UsageKind | null {
  if (!route.credentials.some((credential) => ofOrganisations.has(credential))) return null;
  if (route.countsAs !== undefined) return route.countsAs;
  return route.method === 'GET' ? 'reads' : null;
}
