import type { CapabilityCandidate } from '@agent-trust/contracts';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { type KnownLabel, productionKey } from './known-labels.ts';
import type { LearnedLabel, SearchedCapability } from './seed-index.ts';
import { wordsOf } from './words.ts';

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
export async function describedCapabilities(
  database: ReadModelDatabase,
  countMax: number,
): Promise<DescribedCapability[]> {
  const found = await database.query<Omit<SearchedCapability, 'phrases'>>(sql`
    SELECT name, description, aliases FROM capability ORDER BY name LIMIT ${countMax}`);
  return found.map(({ name, description, aliases }) => {
    const [words, ...others] = [name, ...aliases].map((label) => wordsOf(label).join(' '));
    return { name, text: `${words}: ${description} ${others.join(', ')}` };
  });
}

/** Canonical names by how near their meaning is, as an embedding model has it; `similarity` is 0–1, nearest first. */
export type EmbeddingRanking = readonly CapabilityCandidate[];

/** Tells one state of the seed taxonomy from every other that the log can bring about. */
const seedState = sql`SELECT count(*) || '/' || coalesce(max(defined_position), -1) AS state FROM capability`;

/** The seed taxonomy with its state, both of one moment. */
export async function readSeed(
  database: ReadModelDatabase,
): Promise<{ state: string; capabilities: SearchedCapability[] }> {
  const [row] = await database.query<{ state: string; capabilities: SearchedCapability[] | null }>(sql`
    SELECT (${seedState}) AS state, (
      SELECT json_agg(json_build_object('name', name, 'aliases', aliases, 'phrases', phrases, 'description', description) ORDER BY name)
      FROM capability
    ) AS capabilities`);
  return { state: row?.state ?? '', capabilities: row?.capabilities ?? [] };
}

/** Learned names and aliases that one kind of index may bring up: they grow with the number of agents, the work must not. */
const learnedLabelsMax = 200;

/**
 * The labels that agents brought and that may be close to a name, by trigrams and by words, as far as they lead to a name that may be
 * offered; with the state of the seed at the same moment.
 *
 * @param asked.universe whose learned names may be offered, beside those of production
 * @param asked.heavyWords words one of which a label has to have, if it is not alike by trigrams
 */
export async function learnedLabelsLike(
  database: ReadModelDatabase,
  asked: { name: string; universe: string; heavyWords: readonly string[] },
): Promise<{ seedState: string; labels: LearnedLabel[] }> {
  const universes = [...new Set([asked.universe, productionKey])];
  const text = wordsOf(asked.name).join(' ');
  const [row] = await database.query<{ state: string; labels: LearnedLabel[] | null }>(sql`
    WITH heavy AS MATERIALIZED (
      SELECT string_agg(quote_literal(stem), '|')::tsquery AS query
      FROM (SELECT (ts_lexize('pg_catalog.english_stem', american(word)))[1] AS stem FROM unnest(${asked.heavyWords}::text[]) word) stemmed
      WHERE stem IS NOT NULL
    ), found AS (
      SELECT name AS label, name FROM learned_capabilities_like(${text}, ${universes}::text[], ${learnedLabelsMax})
      UNION
      SELECT alias, name FROM learned_aliases_like(${text}, ${universes}::text[], ${learnedLabelsMax})
      UNION
      (SELECT name, name FROM learned_capability
       WHERE search @@ (SELECT query FROM heavy) AND universe = ANY (${universes}::text[]) LIMIT ${learnedLabelsMax})
      UNION
      (SELECT alias, name FROM learned_alias
       WHERE search @@ (SELECT query FROM heavy) AND universe = ANY (${universes}::text[]) LIMIT ${learnedLabelsMax})
    ), offered AS (
      SELECT label, name FROM found f
      WHERE EXISTS (SELECT FROM capability c WHERE c.name = f.name) OR (
        -- Not what is an alias where it is learned or asked from: that leads to another name.
        EXISTS (SELECT FROM learned_capability k WHERE k.name = f.name AND k.universe = ANY (${universes}::text[]) AND NOT EXISTS (
          SELECT FROM learned_alias a WHERE a.alias = k.name AND a.universe IN (k.universe, ${asked.universe})))
        AND NOT EXISTS (SELECT FROM capability_label l WHERE l.label = f.name))
    )
    SELECT (${seedState}) AS state, (SELECT json_agg(offered) FROM offered) AS labels`);
  return { seedState: row?.state ?? '', labels: row?.labels ?? [] };
}
