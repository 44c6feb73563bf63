/** Bug: a command works for an hour and fails at the end, because its result cannot take the place that it was given. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newFolderFault } from './new-folder-fault.ts';

const folder = mkdtempSync(join(tmpdir(), 'new-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

it('takes a place where there is nothing, or an empty folder', () => {
  mkdirSync(at('empty'));
  expect([newFolderFault(at('nothing')), newFolderFault(at('empty'))]).toEqual([null, null]);
});

it('refuses what a rename cannot replace, and what is somebody else’s', () => {
  writeFileSync(at('file'), '');
  symlinkSync(at('nowhere'), at('link'));
  mkdirSync(at('full/inner'), { recursive: true });
  expect(['file', 'link', 'full'].map((name) => newFolderFault(at(name)))).toEqual([
    'is no folder',
    'is a link',
    'is not empty',
  ]);
});

it.skipIf(process.platform !== 'linux')('refuses where a file system is mounted', () => {
  expect(newFolderFault('/dev/shm') ?? '').toMatch(/mounted|not empty/u);
});
