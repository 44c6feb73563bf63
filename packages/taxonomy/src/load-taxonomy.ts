import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CategoryFile, categoryFile, type SeedCapability } from './category-file.ts';

const faultsShownMax = 20;

/** The data files of the taxonomy break its rules. The message names each fault with its file and entry, so that an editor finds it. */
export class TaxonomyError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const more = faults.length > faultsShownMax ? `\n… and ${faults.length - faultsShownMax} more` : '';
    super(`the taxonomy's data cannot be used:\n${faults.slice(0, faultsShownMax).join('\n')}${more}`);
    this.name = 'TaxonomyError';
    this.faults = faults;
  }
}

const dataFolder = fileURLToPath(new URL('../data/', import.meta.url));

/**
 * Reads the seed taxonomy: one JSON file a category, in the order of the file names.
 *
 * @param folder where the files are; this package's own data by default
 * @throws TaxonomyError naming every fault with its file and entry: wrong shape, a name twice, an alias that is taken
 */
export async function loadTaxonomy(folder: string = dataFolder): Promise<SeedCapability[]> {
  const faults: string[] = [];
  const categories: { file: string; content: CategoryFile }[] = [];
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted();
  for (const file of files) {
    const content = parseFile(file, await readFile(join(folder, file), 'utf8'), faults);
    if (content !== null) categories.push({ file, content });
  }
  if (files.length === 0) faults.push(`${folder}: there are no .json files`);
  faults.push(...faultsAcrossFiles(categories));
  if (faults.length > 0) throw new TaxonomyError(faults);
  return categories.flatMap(({ content: { category, capabilities } }) =>
    capabilities.map(({ terms = '', phrases, ...capability }) => {
      return { category, ...capability, phrases: [...phrases, ...terms.split(', ').filter((term) => term !== '')] };
    }),
  );
}

const parseFile = (file: string, json: string, faults: string[]): CategoryFile | null => {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    faults.push(`${file}: not JSON: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
  const parsed = categoryFile.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) faults.push(`${file}: ${placeOf(path, value)}: ${message}`);
  return null;
};

/** Where a fault is, in words that an editor of the file can search for. */
const placeOf = (path: readonly PropertyKey[], value: unknown): string => {
  const [list, index, ...rest] = path;
  if (list !== 'capabilities' || typeof index !== 'number') return path.join('.') || 'the file';
  const name = (value as { capabilities?: { name?: unknown }[] }).capabilities?.[index]?.name;
  const entry = typeof name === 'string' ? `capability ${JSON.stringify(name)}` : `capability number ${index + 1}`;
  return rest.length === 0 ? entry : `${entry}, ${rest.join('.')}`;
};

/** A name or alias means one capability, in all files. */
const faultsAcrossFiles = (categories: readonly { file: string; content: CategoryFile }[]): string[] => {
  const faults: string[] = [];
  const canonical = new Map<string, string>();
  for (const { file, content } of categories) {
    if (file !== `${content.category}.json`) {
      faults.push(`${file}: category ${JSON.stringify(content.category)} belongs in a file of its own name`);
    }
    for (const { name } of content.capabilities) {
      const other = canonical.get(name);
      if (other !== undefined) faults.push(`${file}: capability ${JSON.stringify(name)}: defined already in ${other}`);
      canonical.set(name, file);
    }
  }
  const meaning = new Map<string, string>();
  for (const { file, content } of categories) {
    for (const { name, aliases } of content.capabilities) {
      for (const alias of aliases) {
        const place = `${file}: capability ${JSON.stringify(name)}: alias ${JSON.stringify(alias)}`;
        if (canonical.has(alias)) faults.push(`${place} is the name of a capability (in ${canonical.get(alias)})`);
        const other = meaning.get(alias);
        if (other !== undefined) faults.push(`${place} is an alias of ${JSON.stringify(other)} already`);
        meaning.set(alias, name);
      }
    }
  }
  return faults;
};
