import { production } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { universeKey } from '../universe-key.ts';

/** Something that is known of a label. `universe` is null for the seed taxonomy, which is known everywhere. */
export type KnownLabel = {
  label: string;
  source: 'seed' | 'learned_name' | 'learned_alias';
  universe: string | null;
  /** The canonical name that it leads to. */
  name: string;
};

/** What a label means: the canonical name, and whether it is that name itself. */
export type LabelMeaning = { canonical: string; how: 'exact' | 'alias' };

const productionKey = universeKey(production);

/**
 * Everything that is known of some labels in some universes and in production, by index. An alias is only given while it leads to a
 * name that is canonical where the alias was learned; one that the seed taxonomy has made an alias itself leads on to its capability.
 */
export function findKnownLabels(
  database: ReadModelDatabase,
  labels: readonly string[],
  universes: readonly string[],
): Promise<KnownLabel[]> {
  return database.query<KnownLabel>({
    name: 'known-labels',
    text: `SELECT label, 'seed' AS source, NULL AS universe, name FROM capability_label WHERE label = ANY ($1::text[])
      UNION ALL
      SELECT name, 'learned_name', universe, name FROM learned_capability WHERE name = ANY ($1::text[]) AND universe = ANY ($2::text[])
      UNION ALL
      SELECT a.alias, 'learned_alias', a.universe, coalesce(seed.name, a.name)
      FROM learned_alias a
      LEFT JOIN LATERAL (
        SELECT l.name FROM capability_label l WHERE l.label = a.name ORDER BY l.name <> l.label, l.name LIMIT 1
      ) seed ON true
      WHERE a.alias = ANY ($1::text[]) AND a.universe = ANY ($2::text[]) AND (seed.name IS NOT NULL OR EXISTS (
        SELECT FROM learned_capability c WHERE c.name = a.name AND c.universe IN (a.universe, '${productionKey}')))`,
    values: [labels, [...new Set([...universes, productionKey])]],
  });
}

/**
 * What a label means in a universe. The seed taxonomy comes before what was learned, and what a sandbox has learned itself before what
 * production has. A learned alias comes before the same name: it is only learned while nothing else has that name, so whoever uses it
 * keeps its meaning when an agent brings the name itself later.
 *
 * @param known what is known of this label, also in universes that are not seen from this one
 */
export function meaningOf(known: readonly KnownLabel[], universe: string): LabelMeaning | null {
  const seen = known.filter((label) => [null, universe, productionKey].includes(label.universe));
  const from = (source: KnownLabel['source']): KnownLabel[] => seen.filter((label) => label.source === source);
  const seed = from('seed');
  if (seed.some(({ label, name }) => label === name))
    return meaning(
      'exact',
      seed.find(({ label, name }) => label === name),
    );
  // While an alias moves from one capability to another it may belong to both for a moment.
  if (seed.length > 0) return meaning('alias', seed.toSorted((a, b) => (a.name < b.name ? -1 : 1))[0]);
  for (const scope of [universe, productionKey]) {
    const alias = from('learned_alias').find((label) => label.universe === scope);
    if (alias !== undefined) return meaning('alias', alias);
    const name = from('learned_name').find((label) => label.universe === scope);
    if (name !== undefined) return meaning('exact', name);
  }
  return null;
}

const meaning = (how: LabelMeaning['how'], label: KnownLabel | undefined): LabelMeaning | null =>
  label === undefined ? null : { canonical: label.name, how };
