import { z } from 'zod';
import { limits } from '../limits.ts';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { positionText } from '../text.ts';
import { universe } from '../universe.ts';

/** A canonical capability that a name comes close to; `similarity` is 0–1 with four decimals. */
export const capabilityCandidate = z.object({
  name: z.string().describe('The canonical name.'),
  similarity: z.number().describe('How near it is, 0 to 1.'),
});
export type CapabilityCandidate = z.infer<typeof capabilityCandidate>;

/** What a name means to the taxonomy. */
export const capabilityResolution = z.discriminatedUnion('outcome', [
  /** A canonical name, or an alias of one. */
  z.object({ name: z.string(), outcome: z.enum(['exact', 'alias']), canonical: z.string() }),
  /** Clearly closest to one canonical name (`clear`), or close to several (`ambiguous`); best first. */
  z.object({
    name: z.string(),
    outcome: z.enum(['clear', 'ambiguous']),
    candidates: z.array(capabilityCandidate).min(1).max(limits.capabilityCandidatesMax),
  }),
  z.object({ name: z.string(), outcome: z.literal('unknown') }),
]);
export type CapabilityResolution = z.infer<typeof capabilityResolution>;

/** Resolves names in normal form against the taxonomy of a universe; one resolution a name, in their order. */
export const resolveCapabilities = unary('trust-projection', 'resolve_capabilities', {
  input: z.object({ universe, names: z.array(z.string()).max(limits.capabilitiesMax) }),
  output: z.object({ resolutions: z.array(capabilityResolution) }),
});

const byOperator = { alias: z.string(), reason: z.string(), actor };

/** The operator makes a name an alias in production. Both are in normal form. */
export const confirmCapabilityAlias = unary('registry-write', 'confirm_capability_alias', {
  input: z.object({ ...byOperator, name: z.string() }),
  output: z.object({ position: positionText }),
});

/** The operator undoes an alias in production, and keeps it from being learned again. */
export const undoCapabilityAlias = unary('registry-write', 'undo_capability_alias', {
  input: z.object(byOperator),
  output: z.object({ position: positionText }),
});
