/*
 * Bug: the manual for operators was never followed: a command is misspelt, a step is missing, a program has to be there that nobody names.
 * Method: an empty home folder and a new clone. Every block of docs/operations.md is pasted into one shell, in order, and blocks of the pages that
 * it links to beside the registry that runs then. Only the port is another, and packages come from the caches of this machine.
 */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { freePort } from '@agent-trust/embedded-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockOf, blocksOf, manual, pasted } from '../support/operating-pages.ts';
import { findPrometheus } from '../support/prometheus.ts';

const root = resolve(import.meta.dirname, '../..');
const blockTimeoutMs = 600_000;
const testTimeoutMs = 1_800_000;
/** A clone with its packages is many small files. */
const hookTimeoutMs = 600_000;

const work = mkdtempSync(join(tmpdir(), 'operations-'));
const inWork = (name: string): string => join(work, name);
const programs = await findPrometheus(mkdtempSync(inWork('prometheus-'))).catch((error: unknown) => {
  if (process.env['CI'] === 'true') throw error;
  process.stderr.write(`skipped: there is no Prometheus; as root, apt-get install prometheus (${String(error)})\n`);
  return null;
});

let shell: ChildProcessWithoutNullStreams | undefined;
let output = '';
let port = 0;
let prometheusPort = 0;
let number = 0;

/** A repository with the files of this one, also those that are not committed yet. */
const makeRepository = (): void => {
  const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });
  const repository = inWork('repository');
  for (const file of git(root, 'ls-files', '-co', '--exclude-standard').split('\n')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    cpSync(join(root, file), join(repository, file));
  }
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@registry.test'];
  git(repository, 'init', '-q');
  git(repository, 'add', '-A');
  git(repository, ...author, 'commit', '-qm', 'all');
};

/** Of this process's environment, what a new machine would have: no settings of the registry, no programs of this clone. */
const environment = (): Record<string, string> => {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|npm_config_(registry|cafile|proxy|https_proxy)|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|LANG|TERM)$/iu.test(
      name,
    ),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const tools = programs?.prometheus.includes('/') === true ? [dirname(programs.prometheus)] : [];
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: [...tools, ...path].join(delimiter),
    HOME: inWork('home'),
    REPOSITORY: inWork('repository'),
    PORT: String(port),
    AGENT_TRUST_URL: `http://127.0.0.1:${port}`,
    // With the caches of this machine, nothing is downloaded twice.
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    XDG_DATA_HOME: process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local/share'),
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  };
};

beforeAll(async () => {
  makeRepository();
  mkdirSync(inWork('home'));
  mkdirSync(inWork('machine'));
  [port, prometheusPort] = [await freePort(), await freePort()];
  // A group of its own, so that all it has started ends with it.
  shell = spawn('bash', ['-eu'], { cwd: inWork('machine'), env: environment(), detached: true });
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
}, hookTimeoutMs);
afterAll(() => {
  if (shell?.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGTERM');
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
}, hookTimeoutMs);

const here = (text: string): string =>
  text
    .replaceAll('localhost:8080', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:9090', `127.0.0.1:${prometheusPort}`)
    .replaceAll('/backup/', `${work}/backup/`);

/** Pastes a block into the shell, which ends at the first command that fails; resolves with what the block printed. */
const paste = async (block: string): Promise<string> => {
  number += 1;
  const file = inWork(`block-${number}.sh`);
  const end = `the end of block ${number}`;
  writeFileSync(file, here(block));
  const from = output.length;
  shell?.stdin.write(`. ${file} </dev/null\necho '${end}'\n`);
  const deadline = Date.now() + blockTimeoutMs;
  while (!output.slice(from).includes(`${end}\n`)) {
    if (shell?.exitCode !== null || Date.now() > deadline)
      throw new Error(
        `${shell?.exitCode === null ? 'This takes too long' : 'This fails'}:\n${here(block)}\n${output.slice(from)}`,
      );
    await new Promise((done) => setTimeout(done, 100));
  }
  return output.slice(from);
};

const [start = '', ...others] = blocksOf(manual);
const stop = others.at(-1) ?? '';

describe.skipIf(programs === null)('docs/operations.md', () => {
  it(
    'leads from an empty machine to a registry that runs, is watched, backed up, lost and restored',
    async () => {
      await paste(start);
      for (const block of others.slice(0, -1)) await paste(block);
      // Its one review counts, and has the share of an organisation that is not established: 40 × 0.91 + 88.9 × 0.09.
      expect(readFileSync(inWork('machine/registry/score-after.txt'), 'utf8')).toMatch(/^seller +trust 44\/100$/mu);

      const rules = (await (await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/rules`)).json()) as {
        data: { groups: { rules: { health: string; state?: string; name: string }[] }[] };
      };
      const all = rules.data.groups.flatMap((group) => group.rules);
      expect(all.length).toBeGreaterThan(30);
      expect(all.filter(({ health }) => health === 'err')).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'stands beside pages whose commands work there, too',
    async () => {
      for (const [page, begins] of pasted) {
        const block = blockOf(page, begins);
        // Examples name agents, operators and folders of others; a restore needs an empty folder.
        const own = block
          .replace('AGENT=acme-translator', 'AGENT=seller')
          .replace('--name alice', '--name bob')
          .replace(/^(npm run restore)/gmu, 'DATA_DIR=../copies/$RANDOM$RANDOM $1')
          .replace('/safe/secrets.json', '.data/secrets.json');
        const [before = '', after] = own.split(/^(?=.*registry-operator-sk-…)/mu);
        let shown = await paste(before);
        // A key is shown once, and used in the next line.
        const [key = ''] = /registry-operator-sk-[\w-]+/u.exec(shown) ?? [];
        if (after !== undefined) shown += await paste(after.replace('registry-operator-sk-…', key));
        expect([page, begins, /"code":"/u.test(shown)]).toEqual([page, begins, false]);
      }
    },
    testTimeoutMs,
  );

  it(
    'ends as it says',
    async () => {
      await paste(stop);
      expect(existsSync(inWork('machine/registry/.data/stack.json'))).toBe(false);
      expect(existsSync(inWork('machine/registry/.data/prometheus-targets.json'))).toBe(false);
    },
    testTimeoutMs,
  );
});
