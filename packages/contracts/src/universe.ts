import { z } from 'zod';

/** Where an agent lives: the one production universe, or the isolated sandbox of one organisation. */
export const universe = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('production') }),
  z.object({ kind: z.literal('sandbox'), orgId: z.string() }),
]);
export type Universe = z.infer<typeof universe>;

export const production: Universe = { kind: 'production' };

/** True when both name the same universe (and, for sandboxes, the same organisation). */
export function sameUniverse(a: Universe, b: Universe): boolean {
  return a.kind === 'production' ? b.kind === 'production' : b.kind === 'sandbox' && a.orgId === b.orgId;
}
