import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkGoldenFiles } from './golden-files.ts';
import { createEventRegistry, EventSchemaError } from './schema-registry.ts';

/** Version 1 had `name`; version 2 split it; version 3 added `verified`. */
const personRegistered = {
  type: 'PersonRegistered',
  version: 3,
  schema: z.object({ first: z.string(), last: z.string(), verified: z.boolean() }),
  upcasters: {
    1: (data: unknown) => {
      const [first = '', last = ''] = (data as { name: string }).name.split(' ');
      return { first, last };
    },
    2: (data: unknown) => ({ ...(data as object), verified: false }),
  },
};
const personLeft = { type: 'PersonLeft', version: 1, schema: z.object({}) };
const registry = createEventRegistry([personRegistered, personLeft]);

describe('the schema registry', () => {
  test('writes the current version and refuses any other shape', () => {
    expect(registry.encode({ type: 'PersonRegistered', data: { first: 'A', last: 'B', verified: true } })).toEqual({
      type: 'PersonRegistered',
      data: { first: 'A', last: 'B', verified: true },
      schemaVersion: 3,
    });
    expect(() => registry.encode({ type: 'PersonRegistered', data: { first: 'A' } })).toThrow(EventSchemaError);
    expect(() => registry.encode({ type: 'Unknown', data: {} })).toThrow(EventSchemaError);
  });

  test.each([
    [undefined, { name: 'Ada Lovelace' }, false],
    [1, { name: 'Ada Lovelace' }, false],
    [2, { first: 'Ada', last: 'Lovelace' }, false],
    [3, { first: 'Ada', last: 'Lovelace', verified: true }, true],
  ])('reads version %s in the current shape', (schemaVersion, data, verified) => {
    const metadata = schemaVersion === undefined ? {} : { schemaVersion };
    expect(registry.decodeKnown({ type: 'PersonRegistered', data, metadata })).toEqual({
      type: 'PersonRegistered',
      data: { first: 'Ada', last: 'Lovelace', verified },
    });
  });

  test('refuses an unknown version', () => {
    expect(() => registry.decodeKnown({ type: 'PersonRegistered', data: {}, metadata: { schemaVersion: 4 } })).toThrow(
      /version 4/,
    );
    expect(() =>
      registry.decodeKnown({ type: 'PersonRegistered', data: { first: 1 }, metadata: { schemaVersion: 3 } }),
    ).toThrow(EventSchemaError);
  });

  test('refuses an unknown type, and says what to do', () => {
    const unknown = { type: 'Unknown', data: {}, metadata: {} };
    expect(() => registry.decodeKnown(unknown)).toThrow(EventSchemaError);
    expect(() => registry.decodeKnown(unknown)).toThrow(/Unknown is not known to this version .*docs\/upgrades\.md/u);
  });

  test('refuses a missing upcaster or a type defined twice', () => {
    expect(() =>
      createEventRegistry([{ ...personRegistered, upcasters: { 1: personRegistered.upcasters[1] } }]),
    ).toThrow(/no upcaster from version 2 to 3/);
    expect(() => createEventRegistry([personLeft, personLeft])).toThrow(/twice/);
  });
});

describe('golden files', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'golden-'));
  });
  afterEach(async () => {
    await rm(dir, { recursive: true });
  });
  const golden = (file: string, version: number, data: object, type = 'PersonRegistered'): Promise<void> =>
    writeFile(join(dir, file), JSON.stringify({ type, data, metadata: { schemaVersion: version } }));
  const complete = async (): Promise<void> => {
    await golden('PersonRegistered.v1.json', 1, { name: 'Ada Lovelace' });
    await golden('PersonRegistered.v2.json', 2, { first: 'Ada', last: 'Lovelace' });
    await golden('PersonRegistered.v3.json', 3, { first: 'Ada', last: 'Lovelace', verified: true });
    await golden('PersonLeft.v1.json', 1, {}, 'PersonLeft');
  };

  test('pass if every version decodes', async () => {
    await complete();
    await expect(checkGoldenFiles(registry, dir)).resolves.toBeUndefined();
    await golden('PersonRegistered.v1.one-name.json', 1, { name: 'Ada' });
    await expect(checkGoldenFiles(registry, dir)).resolves.toBeUndefined();
  });

  test.each([
    ['a missing file', () => rm(join(dir, 'PersonRegistered.v1.json')), /PersonRegistered\.v1\.json: is missing/],
    [
      'a version that no longer decodes',
      () => golden('PersonRegistered.v2.json', 2, { first: 'Ada' }),
      /PersonRegistered\.v2\.json/,
    ],
    [
      'a current version that loses data',
      () => golden('PersonRegistered.v3.json', 3, { first: 'A', last: 'B', verified: true, more: 1 }),
      /loses or changes data/,
    ],
    [
      'another version than its name says',
      () => golden('PersonRegistered.v2.json', 3, { first: 'A', last: 'B', verified: true }),
      /type and version of its name/,
    ],
    [
      'a further example that loses data',
      () => golden('PersonRegistered.v3.more.json', 3, { first: 'A', last: 'B', verified: true, more: 1 }),
      /v3\.more\.json: loses or changes data/,
    ],
    [
      'a further example of a version that is not registered',
      () => golden('PersonLeft.v2.more.json', 2, {}, 'PersonLeft'),
      /PersonLeft\.v2\.more\.json: no such event version/,
    ],
    [
      'an event that was removed from the code',
      () => golden('Gone.v1.json', 1, {}, 'Gone'),
      /Gone\.v1\.json: no such event version/,
    ],
  ])('fail for %s', async (_, spoil, message) => {
    await complete();
    await spoil();
    await expect(checkGoldenFiles(registry, dir)).rejects.toThrow(message);
  });
});
