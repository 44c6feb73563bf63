import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

type Instruction = { name: string; rest: string };
export type Stage = { from: string; name: string; instructions: Instruction[] };

/** The stages of infra/docker/Dockerfile, with continued lines joined. */
export function stagesOfDockerfile(): Stage[] {
  const text = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => !/^\s*#/u.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/gu, '');
  const stages: Stage[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+) (.*)$/u.exec(line) ?? [];
    if (name === 'FROM') {
      const [from = '', , alias = ''] = rest.split(' ');
      stages.push({ from, name: alias, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

/** The files of the repository that .dockerignore lets into a build. */
export function buildContext(): string[] {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isIgnored = (path: string): boolean => {
    const parents = path.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/'));
    let ignored = false;
    // The last rule that matches decides, also one that matches a folder above.
    for (const rule of rules) {
      const pattern = rule.replace(/^!/u, '');
      if (parents.some((parent) => matchesGlob(parent, pattern))) ignored = !rule.startsWith('!');
    }
    return ignored;
  };
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  return tracked.split('\n').filter((path) => path !== '' && !isIgnored(path));
}

export type BuiltImage = { app: string; remove: () => void };

/**
 * Carries out the first stage of the Dockerfile in a temporary folder, with this Node instead of that of the base image: its COPY of the context
 * and its RUN steps, by the shell. The result is the folder `/app` that the second stage copies.
 * @throws Error for an instruction that it does not know, or a step that fails
 */
export function buildWithoutDocker(): BuiltImage {
  const work = mkdtempSync(join(tmpdir(), 'agent-trust-image-'));
  const remove = (): void => rmSync(work, { recursive: true, force: true });
  const [build] = stagesOfDockerfile();
  let workdir = work;
  try {
    for (const { name, rest } of build?.instructions ?? []) {
      if (name === 'WORKDIR') {
        workdir = join(work, rest);
        mkdirSync(workdir, { recursive: true });
      } else if (name === 'COPY' && rest === '. .') {
        for (const path of buildContext()) {
          mkdirSync(dirname(join(workdir, path)), { recursive: true });
          cpSync(join(root, path), join(workdir, path));
        }
      } else if (name === 'RUN') {
        const env = { ...process.env, CI: 'true', NODE_ENV: '' };
        execFileSync('sh', ['-ec', rest], { cwd: workdir, env, stdio: ['ignore', 'pipe', 'pipe'] });
      } else throw new Error(`this build does not know ${name} ${rest}`);
    }
    return { app: join(work, 'app'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Why Docker cannot build here; null if it can. */
export function whyNoDocker(): string | null {
  try {
    execFileSync('docker', ['version', '--format', '{{.Server.Version}}'], { stdio: ['ignore', 'pipe', 'pipe'] });
    return null;
  } catch {
    return 'a Docker engine is needed: https://docs.docker.com/engine/install';
  }
}
