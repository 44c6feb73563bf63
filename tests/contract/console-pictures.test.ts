/**
 * Bug: a page of the console, or one of its views, is held against axe-core in one of the two sets of colours or in neither, and nobody sees it. Method:
 * the pages that are built, and the names that the tests in the browser give to `photograph`, which takes both.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureConsole } from '@agent-trust/console/build';
import { pageFolders, readManifest } from '@agent-trust/console/manifest';
import { beforeAll, expect, it } from 'vitest';

const testsFolder = resolve(import.meta.dirname, '../e2e/console');
/** What a page shows at another address, or before there is anything to show. */
const views = ['home-empty', 'registry-match', 'registry-capabilities', 'audit-event', 'agent-compared'];

beforeAll(() => ensureConsole());

it('knows the folder of each page that is built', () => {
  const built = Object.keys(readManifest()).flatMap((name) => /^src\/pages\/(.+)\/page\.tsx$/u.exec(name)?.[1] ?? []);
  expect(Object.values<string>(pageFolders).toSorted()).toEqual(built.toSorted());
});

it('is photographed on every page', () => {
  const sources = readdirSync(testsFolder).map((name) => readFileSync(join(testsFolder, name), 'utf8'));
  const photographed = new Set(
    sources.flatMap((source) => [...source.matchAll(/\.photograph\('([^']+)'\)/gu)].map(([, name]) => name)),
  );
  expect([...Object.values(pageFolders), ...views].filter((name) => !photographed.has(name))).toEqual([]);
});
