import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CategoryFile } from './category-file.ts';
import { loadTaxonomy, TaxonomyError } from './load-taxonomy.ts';

describe('the seed taxonomy', () => {
  it('follows its rules and has the documented size', async () => {
    const capabilities = await loadTaxonomy();
    expect(capabilities.length).toBeGreaterThanOrEqual(420);
    expect(new Set(capabilities.map(({ category }) => category)).size).toBeGreaterThanOrEqual(20);
  });
});

describe('loading', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taxonomy-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  type Entry = CategoryFile['capabilities'][number];
  const entry = (fields: Partial<Entry> = {}): Entry => ({
    name: 'web_search',
    description: 'Searches the web.',
    aliases: ['internet_search', 'online_search'],
    phrases: ['Look this up', 'Search the web'],
    ...fields,
  });
  const write = (category: string, capabilities: unknown[], file = `${category}.json`): Promise<void> =>
    writeFile(join(folder, file), JSON.stringify({ category, description: 'A category.', capabilities }));
  const faults = async (): Promise<string> => {
    const error: unknown = await loadTaxonomy(folder).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TaxonomyError);
    return (error as TaxonomyError).faults.join('\n');
  };

  it('returns the capabilities with their category, in the order of the files', async () => {
    await write('travel', [entry({ name: 'flight_search', aliases: ['airfare_search', 'cheap_flights'] })]);
    await write('research', [entry()]);
    expect((await loadTaxonomy(folder)).map(({ category, name }) => [category, name])).toEqual([
      ['research', 'web_search'],
      ['travel', 'flight_search'],
    ]);
  });

  it('returns the terms as phrases, one each', async () => {
    await write('research', [entry({ terms: 'Bing, DuckDuckGo, look it up' })]);
    expect((await loadTaxonomy(folder))[0]).toEqual({
      category: 'research',
      ...entry({ phrases: ['Look this up', 'Search the web', 'Bing', 'DuckDuckGo', 'look it up'] }),
    });
  });

  it.each([
    [
      'a name that is not in normal form',
      { name: 'Web Search' },
      'research.json: capability "Web Search", name: must be in normal form: "web_search"',
    ],
    ['a name that is too long', { name: 'x'.repeat(51) }, 'name: must have at most 50 characters'],
    [
      'an alias that is not in normal form',
      { aliases: ['a-b', 'c'] },
      'capability "web_search", aliases.0: must be in normal form: "a_b"',
    ],
    ['too few aliases', { aliases: ['one'] }, 'capability "web_search", aliases:'],
    ['too many phrases', { phrases: ['1', '2', '3', '4', '5'] }, 'capability "web_search", phrases:'],
    ['too many terms', { terms: 'x'.repeat(701) }, 'capability "web_search", terms:'],
    ['a description of two lines', { description: 'one\ntwo' }, 'description: must be one line'],
  ] satisfies [string, Partial<Entry>, string][])('reports the fault: %s', async (_case, fields, fault) => {
    await write('research', [entry(fields)]);
    expect(await faults()).toContain(fault);
  });

  it('reports an unknown property, and a capability without a name', async () => {
    await write('research', [{ ...entry(), alias: [] }, { aliases: [] }]);
    expect(await faults()).toMatch(/capability "web_search": has no member "alias"[^]*capability number 2, name:/);
  });

  it('refuses a repeated name, an alias of two capabilities, and an alias that is a name', async () => {
    await write('research', [entry(), entry({ name: 'online_search', aliases: ['internet_search', 'lookup'] })]);
    await write('travel', [entry({ aliases: ['one', 'two'] })]);
    const text = await faults();
    expect(text).toContain('travel.json: capability "web_search": defined already in research.json');
    expect(text).toContain('alias "online_search" is the name of a capability');
    expect(text).toContain('capability "online_search": alias "internet_search" is an alias of "web_search" already');
  });

  it('refuses a file that is not named after its category, one that is not JSON, and an empty folder', async () => {
    expect(await faults()).toContain('there are no .json files');
    await write('research', [entry()], 'science.json');
    await writeFile(join(folder, 'travel.json'), '{');
    const text = await faults();
    expect(text).toContain('science.json: category "research" belongs in a file of its own name');
    expect(text).toContain('travel.json: not JSON');
  });
});
