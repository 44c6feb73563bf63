import type { CapabilityCandidate } from '@agent-trust/contracts';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { RankedCandidate } from './closeness.ts';
import { type KnownLabel, productionKey } from './known-labels.ts';
import { ranking, rankSql } from './rank-sql.ts';
import { variantsOf, wordsOf } from './words.ts';

/**
 * Everything that is known of some labels in some universes and in production, by index. An alias is only given while it leads to a
 * name that is canonical where the alias was learned; one that the seed taxonomy has made an alias itself leads on to its capability.
 */
export function findKnownLabels(
  database: ReadModelDatabase,
  labels: readonly string[],
  universes: readonly string[],
): Promise<KnownLabel[]> {
  const seen = [...new Set([...universes, productionKey])];
  return database.query<KnownLabel>(sql`
    SELECT label, 'seed' AS source, NULL AS universe, name FROM capability_label WHERE label = ANY (${labels}::text[])
    UNION ALL
    SELECT name, 'learned_name', universe, name FROM learned_capability
    WHERE name = ANY (${labels}::text[]) AND universe = ANY (${seen}::text[])
    UNION ALL
    SELECT a.alias, 'learned_alias', a.universe, coalesce(seed.name, a.name)
    FROM learned_alias a
    LEFT JOIN LATERAL (
      SELECT l.name FROM capability_label l WHERE l.label = a.name ORDER BY l.name <> l.label, l.name LIMIT 1
    ) seed ON true
    WHERE a.alias = ANY (${labels}::text[]) AND a.universe = ANY (${seen}::text[]) AND (seed.name IS NOT NULL OR EXISTS (
      SELECT FROM learned_capability c WHERE c.name = a.name AND c.universe IN (a.universe, ${productionKey})))`);
}

/** A capability and what an embedding model reads of it. */
export type DescribedCapability = { name: string; text: string };

/** The seed taxonomy in sentences, by name. */
export function describedCapabilities(database: ReadModelDatabase, countMax: number): Promise<DescribedCapability[]> {
  return database.query<DescribedCapability>(sql`
    SELECT name, name_words || ': ' || description || ' ' || alias_words AS text FROM capability ORDER BY name LIMIT ${countMax}`);
}

/** Canonical names by how near their meaning is, as an embedding model has it; `similarity` is 0–1, nearest first. */
export type EmbeddingRanking = readonly CapabilityCandidate[];

/**
 * The capabilities that a name is close to, best first, at most `capabilityCandidatesMax`; none if it is close to nothing. Ranked by the
 * words of the name in the capabilities' texts (stemmed, weighted by rarity), by trigrams, by the categories of the best, and by an
 * embedding model if there is one; the rankings are fused by reciprocal rank.
 *
 * `similarity` (0–1, four decimals) is the mean of the similarity of the name and the best label and of the share of the name that the
 * capability's texts cover, or nearly the latter alone if it is larger. It does not depend on the other candidates, so similarities of
 * different names compare.
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
    text: rankSql,
    values: [
      words.join(' '),
      asked,
      [...new Set([question.universe, productionKey])],
      question.name.match(/[0-9]+/g)?.join(' ') ?? '',
      question.embedding.map(({ name }) => name),
      question.embedding.map(({ similarity }) => similarity),
      forms.map(({ place }) => place),
      forms.map(({ form }) => form),
    ],
  });
}
