import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { packageFolder } from './paths.ts';
import { vendored, writeVendored } from './vendor.ts';

const repository = resolve(packageFolder, '../..');

/**
 * Builds the npm package: plain JavaScript with its types, the README and the licence, and its own package.json. The repository's package is private,
 * so it cannot be published by mistake.
 */
export async function buildPackage(outFolder = join(packageFolder, 'dist')): Promise<void> {
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  // The repository's compiler; the package's own, an older one, takes five times as long for the same output.
  const typescript = dirname(createRequire(join(repository, 'package.json')).resolve('typescript/package.json'));
  const compile = [join(typescript, 'bin/tsc'), '-p', join(packageFolder, 'tsconfig.build.json')];
  // Comments are kept for readers of the types; files that browsers load have none.
  for (const emit of [['--declaration', 'false', '--removeComments'], ['--emitDeclarationOnly']]) {
    execFileSync(process.execPath, [...compile, ...emit, '--outDir', join(outFolder, 'compiled')], {
      stdio: 'inherit',
    });
  }
  const lib = join(outFolder, 'lib');
  renameSync(join(outFolder, 'compiled/client/src'), lib);
  // The sources with which the registry itself grows the tree: one implementation serves both.
  renameSync(join(outFolder, 'compiled/transparency-log/src'), join(lib, 'transparency-log'));
  rmSync(join(outFolder, 'compiled'), { recursive: true });
  await writeVendored(join(lib, 'vendor'));
  indentByTabs(lib);
  nameOwnFiles(lib);
  nameJavaScript(lib);

  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const inRepository = ['private', 'scripts', 'devDependencies', 'exports'];
  const published = Object.fromEntries(Object.entries(manifest).filter(([name]) => !inRepository.includes(name)));
  const exports = {
    '.': { types: './lib/index.d.ts', default: './lib/index.js' },
    './log': { types: './lib/log/index.d.ts', default: './lib/log/index.js' },
  };
  writeFileSync(
    join(outFolder, 'package.json'),
    `${JSON.stringify({ ...published, exports, files: ['lib'] }, null, 2)}\n`,
  );
  cpSync(join(packageFolder, 'README.md'), join(outFolder, 'README.md'));
  cpSync(join(repository, 'LICENSE'), join(outFolder, 'LICENSE'));
}

/** The compiler indents by four spaces, a tenth of what browsers load. No text of the client spans lines, so only code is indented. */
const indentByTabs = (lib: string): void => {
  for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const file = join(lib, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replaceAll(/^(?: {4})+/gmu, (spaces) => '\t'.repeat(spaces.length / 4)),
    );
  }
};

/** Replaces imports by package name with files of the package itself. */
const nameOwnFiles = (lib: string): void => {
  const places = new Map([
    ['@agent-trust/transparency-log', 'transparency-log/index.js'],
    ['#sha256', 'transparency-log/hash/sha256.js'],
    ...Object.entries(vendored).map(([name, { file }]) => [name, `vendor/${file}`] as const),
  ]);
  for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|d\.ts)$/u.test(name)) continue;
    const file = join(lib, name);
    const named = readFileSync(file, 'utf8').replaceAll(
      /(?<=\bfrom )(['"])([^'"]+)\1/gu,
      (whole, quote: string, specifier: string) => {
        const place = places.get(specifier);
        if (place === undefined) return whole;
        const path = relative(dirname(file), join(lib, place));
        return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
      },
    );
    writeFileSync(file, named);
  }
};

/** The compiler rewrites imports only in code; some users' compilers do not find `./x.ts` when they read types. */
const nameJavaScript = (folder: string): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/(?<=(?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/gu, '.js'));
  }
};

if (import.meta.main) await buildPackage();
