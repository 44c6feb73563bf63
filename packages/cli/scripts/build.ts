import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const packageFolder = resolve(import.meta.dirname, '..');
const manifestIn = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
const versionOf = (name: string): string => String(manifestIn(join(packageFolder, 'node_modules', name))['version']);

/** Packages of the repository that the program uses, which are not published: each becomes one file of it. */
const bundled: Readonly<Record<string, string>> = {
  '@agent-trust/log-verifier': 'log-verifier.js',
  '@agent-trust/webhook-signature': 'webhook-signature.js',
};

/** Writes the bundled packages below `lib`, with what they use, and makes the program import them from there. */
const bundlePackages = async (lib: string): Promise<void> => {
  const folder = join(lib, 'bundled');
  for (const [name, file] of Object.entries(bundled)) {
    const source = join(packageFolder, 'node_modules', name, 'src/index.ts');
    const bundle = await rolldown({ input: source, platform: 'node' });
    await bundle.write({ file: join(folder, file), format: 'esm', minify: true });
    await bundle.close();
  }
  for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js') || name.startsWith('bundled')) continue;
    const path = join(lib, name);
    const text = readFileSync(path, 'utf8').replaceAll(
      /(?<=\bfrom |\bimport\()(['"])(@agent-trust\/[\w-]+)\1/gu,
      (whole, quote: string, specifier: string) => {
        const file = bundled[specifier];
        if (file === undefined) return whole;
        const place = relative(dirname(path), join(folder, file));
        return `${quote}${place.startsWith('.') ? place : `./${place}`}${quote}`;
      },
    );
    writeFileSync(path, text);
  }
};

/** Builds the npm package: plain JavaScript, README, licence and a manifest of its own. The repository's package stays private. */
export async function buildPackage(outFolder = join(packageFolder, 'dist')): Promise<void> {
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compile = [join(typescript, 'bin/tsc'), '-p', join(packageFolder, 'tsconfig.build.json')];
  execFileSync(process.execPath, [...compile, '--outDir', join(outFolder, 'lib')], { stdio: 'inherit' });
  const program = 'lib/main/agent-trust.js';
  chmodSync(join(outFolder, program), 0o755);

  await bundlePackages(join(outFolder, 'lib'));
  const manifest = manifestIn(packageFolder);
  const inRepository = ['private', 'scripts', 'devDependencies', 'dependencies', 'bin'];
  const published = Object.fromEntries(Object.entries(manifest).filter(([name]) => !inRepository.includes(name)));
  const dependencies = {
    '@agent-trust/client': `^${versionOf('@agent-trust/client')}`,
    commander: `^${versionOf('commander')}`,
  };
  const text = { ...published, bin: { 'agent-trust': program }, files: ['lib'], dependencies };
  writeFileSync(join(outFolder, 'package.json'), `${JSON.stringify(text, null, 2)}\n`);
  cpSync(join(packageFolder, 'README.md'), join(outFolder, 'README.md'));
  cpSync(resolve(packageFolder, '../../LICENSE'), join(outFolder, 'LICENSE'));
}

if (import.meta.main) await buildPackage();
