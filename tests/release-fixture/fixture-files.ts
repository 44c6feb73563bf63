import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const fixturesFolder = resolve(import.meta.dirname, '..', 'fixtures', 'releases');
const compressionLevel = 19;

/** The releases that have a fixture, oldest first. */
export function fixtureReleases(): string[] {
  const byNumber = new Intl.Collator('en', { numeric: true });
  return readdirSync(fixturesFolder).toSorted(byNumber.compare);
}

/** A member on a line of its own down to this depth, so that a difference is short, and the text is not ten times as long. */
const depthOfLines = 3;

const inLines = (value: unknown, depth = 0): string => {
  if (typeof value !== 'object' || value === null || depth === depthOfLines) return JSON.stringify(value);
  const inner = ' '.repeat(depth + 1);
  const members = Array.isArray(value)
    ? value.map((one) => inLines(one, depth + 1))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${inLines(one, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return members.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${members.join(`,\n${inner}`)}\n${' '.repeat(depth)}${close}`;
};

/** The files of one release: what it wrote and answered (`data`), and what it offered (`interface`). */
export type FixtureFiles = {
  readonly folder: string;
  readText(name: string): string;
  readJson(name: string): unknown;
  writeJson(name: string, value: unknown): void;
  readCompressed(name: string): string;
  writeCompressed(name: string, text: string): void;
};

export function fixtureFiles(release: string): FixtureFiles {
  const folder = join(fixturesFolder, release);
  const write = (name: string, content: string | Uint8Array): void => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const readText = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    folder,
    readText,
    readJson: (name) => JSON.parse(readText(name)) as unknown,
    writeJson: (name, value) => write(name, `${inLines(value)}\n`),
    readCompressed: (name) => zstdDecompressSync(readFileSync(join(folder, name))).toString('utf8'),
    writeCompressed: (name, text) =>
      write(name, zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: compressionLevel } })),
  };
}
