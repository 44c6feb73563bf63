import { limits, type Universe } from '@agent-trust/contracts';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { universeKey } from '../universe-key.ts';
import { productionKey } from './known-labels.ts';

/** A capability as the tables have it. */
export type ListedCapability = {
  name: string;
  category: string | null;
  description: string | null;
  aliases: { alias: string; learned: boolean }[];
};

export type CapabilityListing = {
  categories: { category: string; capabilityCount: number }[];
  capabilities: ListedCapability[];
  /** All that pass the filters, as far as they are listed. */
  total: number;
};

/** A pattern of LIKE for what contains a text. */
const containing = (text: string): string => `%${text.replaceAll(/[%_\\]/gu, String.raw`\$&`)}%`;

/**
 * A page of the capabilities that are known in a universe: those of the seed taxonomy by category and name, then names that agents brought. An alias is
 * listed where it leads, as `known-labels.ts` decides.
 *
 * @param asked.text part of a name or alias in normal form; null for all
 */
export async function findCapabilities(
  database: ReadModelDatabase,
  asked: { universe: Universe; text: string | null; category: string | null; limit: number; offset: number },
): Promise<CapabilityListing> {
  const own = universeKey(asked.universe);
  const universes = [...new Set([own, productionKey])];
  const like = asked.text === null ? null : containing(asked.text);
  /** An alias that means something here: not a label of the seed, and in a sandbox not one that the sandbox knows otherwise. */
  const inEffect = sql`a.universe = ANY (${universes}::text[])
    AND NOT EXISTS (SELECT FROM capability_label l WHERE l.label = a.alias)
    AND (a.universe = ${own} OR NOT EXISTS (SELECT FROM learned_alias s WHERE s.alias = a.alias AND s.universe = ${own}))`;
  const named =
    like === null
      ? sql`SELECT NULL::text AS name WHERE false`
      : sql`SELECT a.name FROM learned_alias a WHERE a.alias LIKE ${like} AND ${inEffect}`;
  const seedFilter =
    like === null
      ? sql`true`
      : sql`(c.name LIKE ${like} OR EXISTS (SELECT FROM unnest(c.aliases) alias WHERE alias LIKE ${like})
          OR EXISTS (SELECT FROM named n WHERE n.name = c.name OR n.name = ANY (c.aliases)))`;
  const ofCategory = asked.category === null ? empty : sql`AND c.category = ${asked.category}`;
  const [row] = await database.query<CapabilityListing>(sql`
    WITH named AS MATERIALIZED (${named}), listed AS MATERIALIZED (
      SELECT c.name, c.category, c.description, c.aliases FROM capability c WHERE ${seedFilter} ${ofCategory}
      ${asked.category === null ? sql`UNION ALL ${broughtByAgents(universes, like)}` : empty}
    ), page AS (
      SELECT * FROM listed ORDER BY category NULLS LAST, name LIMIT ${asked.limit} OFFSET ${asked.offset}
    )
    SELECT
      (SELECT count(*)::integer FROM listed) AS total,
      coalesce((
        SELECT json_agg(json_build_object('category', category, 'capabilityCount', capabilities) ORDER BY category)
        FROM (SELECT category, count(*) AS capabilities FROM capability GROUP BY category) counted
      ), '[]') AS categories,
      coalesce((
        SELECT json_agg(json_build_object(
          'name', p.name, 'category', p.category, 'description', p.description,
          'aliases', (
            SELECT coalesce(json_agg(json_build_object('alias', alias, 'learned', learned) ORDER BY learned, alias), '[]')
            FROM (
              SELECT alias, false AS learned FROM unnest(p.aliases) alias
              UNION ALL
              SELECT alias, true FROM (
                SELECT DISTINCT a.alias FROM learned_alias a WHERE a.name = ANY (p.name || p.aliases) AND ${inEffect}
                ORDER BY a.alias LIMIT ${limits.learnedAliasesShownMax}
              ) some_learned
            ) known
          )
        ) ORDER BY p.category NULLS LAST, p.name)
        FROM page p
      ), '[]') AS capabilities`);
  return row ?? { categories: [], capabilities: [], total: 0 };
}

const broughtByAgents = (universes: readonly string[], like: string | null): Sql => sql`
  SELECT name, NULL, NULL, '{}'::text[] FROM (
    SELECT DISTINCT k.name FROM learned_capability k
    WHERE k.universe = ANY (${universes}::text[]) AND NOT EXISTS (SELECT FROM capability_label l WHERE l.label = k.name)
      ${like === null ? empty : sql`AND (k.name LIKE ${like} OR k.name IN (SELECT name FROM named))`}
    ORDER BY k.name LIMIT ${limits.learnedCapabilitiesListedMax}
  ) brought`;
