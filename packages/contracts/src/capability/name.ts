import { z } from 'zod';
import { limits } from '../limits.ts';
import { codePointCount, text } from '../text.ts';

/**
 * The normal form of a capability's name: NFKC, lower case, trimmed, and each run of spaces, hyphens and underscores as one underscore.
 * Idempotent; everything after the edge of the system sees only normal forms.
 */
export function normaliseCapabilityName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .trim()
    .replace(/[\s\-_]+/gu, '_');
}

/** A capability's name as submitted, turned into its normal form. NFKC may lengthen a name, so both forms are held to the limit. */
export const capabilityName = text(limits.capabilityNameCharsMax, 1)
  .transform(normaliseCapabilityName)
  .refine((name) => name !== '' && name !== '_', { message: 'must contain more than spaces, hyphens and underscores' })
  .refine((name) => codePointCount(name) <= limits.capabilityNameCharsMax, {
    message: `must have at most ${limits.capabilityNameCharsMax} characters when normalised`,
  });

const weightText = 'How central it is for the agent: 3 its main work, 1 a side activity.';

export const weightedCapability = z
  .object({
    name: z.string().describe('The name in its normal form: lower case, with underscores.'),
    weight: z.int().min(limits.capabilityWeightMin).max(limits.capabilityWeightMax).describe(weightText),
  })
  .meta({
    id: 'WeightedCapability',
    description: 'Something that an agent can do, and how central it is for the agent.',
  });
export type WeightedCapability = z.infer<typeof weightedCapability>;

/** A capability on input: `{name, weight}` or the bare name, which weighs 1. */
export const capabilityInput = z.union([
  capabilityName.transform((name): WeightedCapability => ({ name, weight: limits.capabilityWeightMin })),
  z
    .object({
      name: capabilityName.describe('Any spelling of the name; it is stored in its normal form.'),
      weight: z
        .int()
        .min(limits.capabilityWeightMin)
        .max(limits.capabilityWeightMax)
        .default(limits.capabilityWeightMin)
        .describe(weightText),
    })
    .meta({ id: 'CapabilityInput', description: 'A capability with its weight.' }),
]);
