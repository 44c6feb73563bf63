import { readFile } from 'node:fs/promises';
import { codePointCount, limits, normaliseCapabilityName, production } from '@agent-trust/contracts';
import { z } from 'zod';
import { capabilityResolver } from '../../queries/resolve-capabilities.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { queryLimits } from '../../shared/limits.ts';
import type { Aims, Answered } from './measures.ts';

/** A phrase as somebody may ask, and the capabilities that are right answers to it; none when the taxonomy has no such thing. */
const evalPhrase = z.strictObject({
  phrase: z
    .string()
    .refine((phrase) => phrase === phrase.trim() && codePointCount(phrase) <= limits.capabilityNameCharsMax, {
      message: `must be as long as a capability's name may be, at most ${limits.capabilityNameCharsMax} characters`,
    })
    .refine((phrase) => normaliseCapabilityName(phrase) !== '', { message: 'must not be empty' }),
  expected: z.array(z.string()),
});
export type EvalPhrase = z.infer<typeof evalPhrase>;

/** Resolution was tuned with all of them but `held-out-5`, which was looked at once, afterwards; `docs/capabilities.md` tells of each. */
export type PhraseSet =
  | 'development'
  | 'development-2'
  | 'development-3'
  | 'held-out'
  | 'held-out-2'
  | 'held-out-3'
  | 'held-out-4'
  | 'held-out-5';

/** What each set has to reach: what it reached when resolution was last tuned, or was asked to, with a little room. */
export const aimsOfSets: Readonly<Record<PhraseSet, Aims>> = {
  development: { recallAt5Min: 0.99, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.06 },
  'development-2': { recallAt5Min: 0.975, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.05 },
  'development-3': { recallAt5Min: 0.92, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.05 },
  'held-out': { recallAt5Min: 0.865, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.33 },
  'held-out-2': { recallAt5Min: 0.965, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.05 },
  'held-out-3': { recallAt5Min: 0.92, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.05 },
  'held-out-4': { recallAt5Min: 0.91, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.05 },
  'held-out-5': { recallAt5Min: 0.875, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.05 },
};

export const phraseSets = Object.keys(aimsOfSets) as readonly PhraseSet[];

/** Reads a set of phrases. @throws ZodError when the file breaks the shape */
export async function loadPhrases(set: PhraseSet): Promise<EvalPhrase[]> {
  return z
    .array(evalPhrase)
    .parse(JSON.parse(await readFile(new URL(`../../../eval/${set}.json`, import.meta.url), 'utf8')));
}

/** Resolves every phrase of a set as the service would. */
export async function resolvePhrases(database: ReadModelDatabase, set: PhraseSet): Promise<Answered[]> {
  const phrases = await loadPhrases(set);
  const resolve = capabilityResolver(database, queryLimits.closeNamesOfWrites);
  const names = phrases.map(({ phrase }) => normaliseCapabilityName(phrase));
  const resolutions = await resolve(production, names);
  return phrases.flatMap((phrase, index) => {
    const resolution = resolutions[index];
    return resolution === undefined ? [] : [{ ...phrase, resolution }];
  });
}
