/** Bug: a backup is written into the data that it copies, or a command hangs or speaks of system calls because of the folder that it was given. */
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ensureApart, FolderError, makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

describe('a folder', () => {
  it('is made with those above it, for its owner only, and may be there already', () => {
    makeFolder(at('a/b/c'));
    makeFolder(at('a/b/c'));
    expect(['a', 'a/b', 'a/b/c'].map((name) => statSync(at(name)).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  });

  it('is refused where a file is, and below one', () => {
    writeFileSync(at('file'), '');
    for (const name of ['file', 'file/x', 'file/x/y'])
      expect(() => makeFolder(at(name))).toThrow(new FolderError(`${at('file')} is no folder: name another one.`));
  });

  it.skipIf(process.platform !== 'linux')('is refused below /proc, at once', () => {
    expect(() => makeFolder('/proc/nope/x')).toThrow(/^\/proc\/nope cannot be made in \/proc \(/u);
  });
});

describe('two folders', () => {
  it('are apart if neither lies in the other, also by a link and before they exist', () => {
    mkdirSync(at('data/inner'), { recursive: true });
    symlinkSync(at('data/inner'), at('link'));
    const apart = (one: string, other: string) => (): void => ensureApart(at(one), at(other), 'keep them apart.');
    expect(apart('database', 'data')).not.toThrow();
    expect(apart('..data', 'data')).not.toThrow();
    for (const inner of ['data', 'data/new/x', 'link', 'link/new/x', 'data/..x']) {
      expect(apart(inner, 'data')).toThrow(`${at(inner)} lies in ${at('data')}: keep them apart.`);
      expect(apart('data', inner)).toThrow(FolderError);
    }
  });
});
