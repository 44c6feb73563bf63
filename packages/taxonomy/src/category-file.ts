import { codePointCount, limits, normaliseCapabilityName, text } from '@agent-trust/contracts';
import { z } from 'zod';

/** What an entry of the data files may be. */
export const taxonomyLimits = {
  descriptionCharsMax: 200,
  aliasesMin: 2,
  aliasesMax: 6,
  phrasesMin: 2,
  phrasesMax: 4,
  phraseCharsMax: 200,
  termsCharsMax: 700,
} as const;

/** Names in the data are in their stored form: submitting one must find it. */
const normalName = z
  .string()
  .refine((name) => name !== '' && normaliseCapabilityName(name) === name, {
    error: ({ input }) =>
      `must be in normal form: ${JSON.stringify(normaliseCapabilityName(String(input)))} instead of ${JSON.stringify(input)}`,
  })
  .refine((name) => codePointCount(name) <= limits.capabilityNameCharsMax, {
    error: `must have at most ${limits.capabilityNameCharsMax} characters`,
  });

const oneLine = (charsMax: number): z.ZodString =>
  text(charsMax, 1).refine((value) => !/[\r\n]/.test(value) && value.trim() === value, {
    error: 'must be one line without spaces around it',
  });

const capabilityEntry = z.strictObject({
  name: normalName,
  description: oneLine(taxonomyLimits.descriptionCharsMax),
  aliases: z.array(normalName).min(taxonomyLimits.aliasesMin).max(taxonomyLimits.aliasesMax),
  phrases: z
    .array(oneLine(taxonomyLimits.phraseCharsMax))
    .min(taxonomyLimits.phrasesMin)
    .max(taxonomyLimits.phrasesMax),
  /** Words of the trade, products and abbreviations that callers may use, separated by commas. */
  terms: oneLine(taxonomyLimits.termsCharsMax).optional(),
});

/** One file of the taxonomy: a category and its capabilities. */
export const categoryFile = z.strictObject({
  category: normalName,
  description: oneLine(taxonomyLimits.descriptionCharsMax),
  capabilities: z.array(capabilityEntry).min(1),
});
export type CategoryFile = z.infer<typeof categoryFile>;

/** A capability of the seed taxonomy. */
export type SeedCapability = {
  name: string;
  category: string;
  description: string;
  /** Other names for it, in normal form. */
  aliases: string[];
  /** How people ask for it, and the terms that they use. */
  phrases: string[];
};
