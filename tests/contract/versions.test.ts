import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { registryVersion } from '../../packages/service-kit/src/version.ts';

const root = resolve(import.meta.dirname, '../..');
const versionIn = (path: string): string =>
  (JSON.parse(readFileSync(join(root, path), 'utf8')) as { version: string }).version;

it('every package has the version of the interface', () => {
  const manifests = globSync(
    ['package.json', 'packages/*/package.json', 'services/*/package.json', 'tests/package.json'],
    {
      cwd: root,
    },
  );
  expect(manifests.length).toBeGreaterThan(30);
  expect(manifests.filter((path) => versionIn(path) !== registryVersion)).toEqual([]);
});

it('the changelog has a dated section for the present version, below that of what is unreleased', () => {
  const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## .*$/gmu) ?? [];
  expect(headings[0]).toBe('## Unreleased');
  expect(headings[1]).toMatch(new RegExp(`^## ${registryVersion.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`, 'u'));
});
