import { production } from '@agent-trust/contracts';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryLimits } from '../../shared/limits.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { capabilityResolver } from '../../queries/resolve-capabilities.ts';
import { isFalseResolve, measure, meetsAims } from './measures.ts';
import { aimsOfSets, phraseSets, resolvePhrases } from './phrases.ts';
import { openTaxonomyDatabase } from './taxonomy-database.ts';

let postgres: TestDatabase;
let database: ReadModelDatabase;

beforeAll(async () => {
  postgres = await createTestDatabase();
  database = await openTaxonomyDatabase(postgres.url);
});
afterAll(async () => {
  await database.close();
  await postgres.drop();
});

describe('the seed taxonomy in a running service', () => {
  it.each(phraseSets)('resolves the phrases of the %s set as well as documented', async (set) => {
    const answered = await resolvePhrases(database, set);
    const measures = measure(answered);
    const met = meetsAims(measures, aimsOfSets[set]);
    expect({ met, measures, wrong: answered.filter(isFalseResolve) }).toMatchObject({ met: true });
  });

  it('resolves every name to itself and every alias to its capability', async () => {
    const capabilities = await loadTaxonomy();
    const resolve = capabilityResolver(database, queryLimits.closeNamesOfSearches);
    const names = capabilities.map(({ name }) => name);
    expect(await resolve(production, names)).toEqual(
      names.map((name) => ({ name, outcome: 'exact', canonical: name })),
    );
    const aliases = capabilities.flatMap(({ name, aliases: others }) => others.map((alias) => ({ alias, name })));
    expect(
      await resolve(
        production,
        aliases.map(({ alias }) => alias),
      ),
    ).toEqual(aliases.map(({ alias, name }) => ({ name: alias, outcome: 'alias', canonical: name })));
  });
});
