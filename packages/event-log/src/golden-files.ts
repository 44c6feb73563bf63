import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { EventMetadata, JsonObject } from './port.ts';
import type { EventRegistry } from './schema-registry.ts';

type Golden = { type: string; data: JsonObject; metadata: EventMetadata };

/**
 * Checks that every released version of every event can still be decoded: `<dir>/<Type>.v<version>.json`, one file for each version of each
 * registered type, must decode to the current shape, and one of the current version must be unchanged by it. So must
 * `<Type>.v<version>.<variant>.json`, further examples of an event of which one file cannot show every shape. Rejects with one error that lists all
 * faults.
 */
export async function checkGoldenFiles(registry: EventRegistry, dir: string): Promise<void> {
  const faults: string[] = [];
  const expected = new Set<string>();
  for (const { type, version: current } of registry.definitions.values()) {
    for (let version = 1; version <= current; version++) {
      const file = goldenName(type, version);
      expected.add(file);
      const fault = await checkOne(registry, dir, file, type, version, version === current);
      if (fault !== undefined) faults.push(`${file}: ${fault}`);
    }
  }
  for (const file of await readdir(dir).catch(() => [])) {
    if (!file.endsWith('.json') || expected.has(file)) continue;
    const [, type = '', version = ''] = variantName.exec(file) ?? [];
    if (expected.has(`${type}.v${version}.json`)) {
      const isCurrent = registry.definitions.get(type)?.version === Number(version);
      const fault = await checkOne(registry, dir, file, type, Number(version), isCurrent);
      if (fault !== undefined) faults.push(`${file}: ${fault}`);
    } else faults.push(`${file}: no such event version is registered, but logs may hold it for ever`);
  }
  if (faults.length > 0) throw new Error(`Golden event files:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

const variantName = /^([A-Za-z]+)\.v(\d+)\.[a-z0-9-]+\.json$/u;
const goldenName = (type: string, version: number): string => `${type}.v${version}.json`;

const checkOne = async (
  registry: EventRegistry,
  dir: string,
  file: string,
  type: string,
  version: number,
  isCurrent: boolean,
): Promise<string | undefined> => {
  let golden: Golden;
  try {
    golden = JSON.parse(await readFile(join(dir, file), 'utf8')) as Golden;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!missing) return `cannot be read (${String(error)})`;
    return isCurrent
      ? 'is missing; write an event as the log will hold it: {"type", "data", "metadata": {"schemaVersion"}}, with every field'
      : 'is missing; a released version keeps its file for ever';
  }
  if (golden.type !== type || (golden.metadata?.schemaVersion ?? 1) !== version)
    return 'does not hold the type and version of its name';
  try {
    const decoded = registry.decodeKnown(golden);
    if (isCurrent && !isDeepStrictEqual(decoded.data, golden.data))
      return 'loses or changes data when it is decoded; a released version never changes';
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
