import { type CapabilityCandidate, production } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { universeKey } from '../universe-key.ts';
import { wordsOf } from './capability-words.ts';
import type { RankedCandidate } from './closeness.ts';
import { rankSql } from './rank-sql.ts';
import { ranking } from './ranking.ts';
import { variantsOf } from './word-variants.ts';

/** Canonical names by how near their meaning is, as an embedding model has it; `similarity` is 0–1, nearest first. */
export type EmbeddingRanking = readonly CapabilityCandidate[];

/**
 * The capabilities that a name is close to, best first, at most `capabilityCandidatesMax`; none when it is close to nothing. Ranked by
 * the words of the name in the capabilities' texts (stemmed, weighed by how rare they are), by trigrams, by the categories of the
 * best, and by an embedding model's word where there is one; the rankings are fused by reciprocal rank.
 *
 * The order is the fused one. `similarity` (0–1, four decimals) is the mean of how alike the name and the best label are and of how much
 * of the name the capability's texts cover, or nearly the latter alone where that is more; it does not depend on the other candidates, so
 * it compares between names.
 *
 * @param question.universe whose learned names may be offered, beside those of production
 */
export function rankCandidates(
  database: ReadModelDatabase,
  question: { name: string; universe: string; embedding: EmbeddingRanking },
): Promise<RankedCandidate[]> {
  const words = wordsOf(question.name);
  const asked = [...new Set(words)].slice(0, ranking.wordsMax);
  // Places count from 1, as WITH ORDINALITY does.
  const forms = asked.flatMap((word, index) => variantsOf(word).map((form) => ({ place: index + 1, form })));
  return database.query<RankedCandidate>({
    name: 'rank-capabilities',
    text: rankSql,
    values: [
      words.join(' '),
      asked,
      [...new Set([question.universe, universeKey(production)])],
      question.name.match(/[0-9]+/g)?.join(' ') ?? '',
      question.embedding.map(({ name }) => name),
      question.embedding.map(({ similarity }) => similarity),
      forms.map(({ place }) => place),
      forms.map(({ form }) => form),
    ],
  });
}
