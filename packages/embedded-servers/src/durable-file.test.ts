/**
 * Bug: after a power cut the file is empty, because its name was on the disk before its content was.
 * Method: the calls to the system are recorded. What is not synced before a cut is lost: content until its file is synced, a name until its folder is.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const { openSync, writeSync, fsyncSync, renameSync } = fs;
const real = { openSync, writeSync, fsyncSync, renameSync };
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'durable-'));
});
afterEach(() => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
  fs.rmSync(folder, { recursive: true });
});

/** Records what happens to files and folders, in order. */
const record = (): string[] => {
  const calls: string[] = [];
  const names = new Map<number, string>();
  Object.assign(fs, {
    openSync: (...args: Parameters<typeof fs.openSync>) => {
      const descriptor = real.openSync(...args);
      names.set(descriptor, basename(String(args[0])));
      return descriptor;
    },
    writeSync: (descriptor: number, text: string) => {
      calls.push(`write ${names.get(descriptor)}`);
      return real.writeSync(descriptor, text);
    },
    fsyncSync: (descriptor: number) => {
      calls.push(`sync ${names.get(descriptor)}`);
      real.fsyncSync(descriptor);
    },
    renameSync: (from: string, to: string) => {
      calls.push(`rename ${basename(from)} ${basename(to)}`);
      real.renameSync(from, to);
    },
  });
  syncBuiltinESMExports();
  return calls;
};

it('writes the content to the disk before the name, and the name before it returns', async () => {
  const { writeDurably } = await import('./durable-file.ts');
  const file = join(folder, 'secrets.json');
  fs.writeFileSync(`${file}.incoming`, 'of a start that was cut off', { mode: 0o666 });
  const calls = record();
  writeDurably(file, 'secret');
  expect(calls).toEqual([
    'write secrets.json.incoming',
    'sync secrets.json.incoming',
    'rename secrets.json.incoming secrets.json',
    `sync ${basename(folder)}`,
  ]);
  expect(fs.readFileSync(file, 'utf8')).toBe('secret');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});
