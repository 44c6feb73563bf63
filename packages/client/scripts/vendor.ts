import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { packageFolder } from './paths.ts';

const transparencyLog = resolve(packageFolder, '../transparency-log');

/** What the log's tree needs of other packages, and the file for it: the published client has no dependencies. */
export const vendored: Readonly<Record<string, { file: string; source: string; licence: string }>> = {
  '@noble/hashes/sha2.js': {
    file: 'noble-hashes.js',
    source: "export { sha256 } from '@noble/hashes/sha2.js';",
    licence: '@noble/hashes/LICENSE',
  },
  canonicalize: {
    file: 'canonicalize.js',
    source: "export { default } from 'canonicalize';",
    licence: 'canonicalize/LICENSE',
  },
};

/** Bundles each vendored package into one file of the folder: the used parts, with its licence. */
export async function writeVendored(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, { file, source, licence }] of Object.entries(vendored)) {
    const entry = join(transparencyLog, 'src', `vendored ${name}`);
    const bundle = await rolldown({
      input: entry,
      platform: 'browser',
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === entry ? entry : null),
          load: (id) => (id === entry ? source : null),
        },
      ],
    });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    const text = readFileSync(join(transparencyLog, 'node_modules', licence), 'utf8').trim();
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `/*! ${name}\n${shortened(text)}\n*/\n${output[0].code}`);
  }
}

/** The package contains the whole Apache licence already; other licences are quoted. */
const shortened = (licence: string): string =>
  licence.includes('Apache License') && licence.length > 2_000
    ? 'Apache License 2.0: see LICENSE.'
    : licence.replaceAll('*/', '* /');
