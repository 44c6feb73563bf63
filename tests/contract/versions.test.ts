import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const versionIn = (path: string): string =>
  (JSON.parse(readFileSync(join(root, path), 'utf8')) as { version: string }).version;

it('every package has the version of the interface', () => {
  const about = readFileSync(join(root, 'services/gateway/src/about-registry.ts'), 'utf8');
  const version = /version: '(.+)'/u.exec(about)?.[1];
  const manifests = globSync(
    ['package.json', 'packages/*/package.json', 'services/*/package.json', 'tests/package.json'],
    {
      cwd: root,
    },
  );
  expect(manifests.length).toBeGreaterThan(30);
  expect(manifests.filter((path) => versionIn(path) !== version)).toEqual([]);
});
