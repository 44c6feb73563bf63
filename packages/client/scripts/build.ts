import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { packageFolder } from './paths.ts';

/**
 * Makes the package that goes to npm: plain JavaScript with its types, the README and the licence, and a package.json of its own. What is
 * in the repository cannot be published by mistake: it is private.
 */
export const buildPackage = (outFolder = join(packageFolder, 'dist')): void => {
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compile = [join(typescript, 'bin/tsc'), '-p', join(packageFolder, 'tsconfig.build.json')];
  // Comments are for who writes against the types; what browsers load goes without.
  for (const emit of [['--declaration', 'false', '--removeComments'], ['--emitDeclarationOnly']]) {
    execFileSync(process.execPath, [...compile, ...emit, '--outDir', join(outFolder, 'lib')], { stdio: 'inherit' });
  }
  nameJavaScript(join(outFolder, 'lib'));

  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const inRepository = ['private', 'scripts', 'devDependencies', 'exports'];
  const published = Object.fromEntries(Object.entries(manifest).filter(([name]) => !inRepository.includes(name)));
  const exports = { '.': { types: './lib/index.d.ts', default: './lib/index.js' } };
  writeFileSync(
    join(outFolder, 'package.json'),
    `${JSON.stringify({ ...published, exports, files: ['lib'] }, null, 2)}\n`,
  );
  cpSync(join(packageFolder, 'README.md'), join(outFolder, 'README.md'));
  cpSync(resolve(packageFolder, '../../LICENSE'), join(outFolder, 'LICENSE'));
};

/** The compiler rewrites imports in code alone; not every compiler of a user finds `./x.ts` when it reads types. */
const nameJavaScript = (folder: string): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/(?<=(?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/gu, '.js'));
  }
};

if (import.meta.main) buildPackage();
