import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const packageFolder = resolve(import.meta.dirname, '..');
const manifestIn = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
const versionOf = (name: string): string => String(manifestIn(join(packageFolder, 'node_modules', name))['version']);

/** Builds the npm package: plain JavaScript, README, licence and a manifest of its own. The repository's package stays private. */
export function buildPackage(outFolder = join(packageFolder, 'dist')): void {
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compile = [join(typescript, 'bin/tsc'), '-p', join(packageFolder, 'tsconfig.build.json')];
  execFileSync(process.execPath, [...compile, '--outDir', join(outFolder, 'lib')], { stdio: 'inherit' });
  const program = 'lib/main/agent-trust.js';
  chmodSync(join(outFolder, program), 0o755);

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

if (import.meta.main) buildPackage();
