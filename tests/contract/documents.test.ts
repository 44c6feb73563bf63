/** Bug: a page links to a file, a page or a heading that was moved. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const filesLike = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', pattern], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));
const pages = filesLike('*.md');
const sourceFileNames = new Set(filesLike('*.ts').map((path) => basename(path)));

/** Links and paths in fenced code are examples, so they are not checked. */
const proseOf = (page: string): string => readFileSync(join(root, page), 'utf8').replaceAll(/^ *```[^]*?^ *```/gmu, '');

/** The anchor that GitHub and similar forges derive from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-');

const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#{1,6} (.+)$/gmu)].map(([, heading = '']) => anchorOf(heading));

describe.each(pages)('%s', (page) => {
  const prose = proseOf(page);

  it('links to files and headings that exist', () => {
    const broken = [...prose.matchAll(/\]\(([^)\s]+)\)/gu)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/u.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? join(root, page) : resolve(root, dirname(page), path);
        if (!existsSync(file)) return true;
        return anchor !== undefined && !anchorsOf(relative(root, file)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('has no marks of an unresolved merge', () => {
    expect(readFileSync(join(root, page), 'utf8').match(/^(?:<{7}|>{7}) .*/mu)).toBeNull();
  });

  // Except `dist`, which exists only after a build.
  it('names files of the repository that exist', () => {
    const missing = [...prose.matchAll(/`((?:packages|services|tests|docs|infra)\/[\w./-]+)`/gu)]
      .map(([, path = '']) => path)
      .filter((path) => !/\/dist\b/u.test(path) && !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it('names source files by names that some file has', () => {
    const names = [...prose.matchAll(/`([\w-]+(?:\.[\w-]+)*\.ts)`/gu)].map(([, name = '']) => name);
    expect(names.filter((name) => !sourceFileNames.has(name))).toEqual([]);
  });
});
