import { readFile } from 'node:fs/promises';
import { codePointCount, limits, normaliseCapabilityName, production } from '@agent-trust/contracts';
import { z } from 'zod';
import { capabilityResolver } from '../../queries/resolve-capabilities.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { queryLimits } from '../../shared/limits.ts';
import type { Answered } from './measures.ts';

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

/** `development` is what resolution was tuned with; `held-out` was looked at when all was decided. */
export type PhraseSet = 'development' | 'held-out' | 'development-2' | 'held-out-2';

export const phraseSets: readonly PhraseSet[] = ['development', 'development-2', 'held-out', 'held-out-2'];

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
