import { normaliseCapabilityName, production } from '@agent-trust/contracts';
import { queryLimits } from '../../shared/limits.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { capabilityResolver } from '../../queries/resolve-capabilities.ts';
import type { Answered } from './measures.ts';
import { loadPhrases, type PhraseSet } from './phrases.ts';

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
