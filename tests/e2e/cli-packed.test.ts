/**
 * The package for npm differs from the sources that other tests run: it is compiled, packed and installed beside its dependencies. Here all
 * of that happens in an empty folder without a network, and the package is then used as its users do.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage as buildCli } from '../../packages/cli/scripts/build.ts';
import { buildPackage as buildClient } from '../../packages/client/scripts/build.ts';
import { gateways } from '../support/ask.ts';

const repository = resolve(import.meta.dirname, '../..');
const packedBytesMax = 64 * 1024;
/** For a short command in a new process on a busy machine; usually it takes a tenth of that. */
const startMsMax = 2_000;

const env = {
  ...process.env,
  NODE_OPTIONS: '',
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
};
const run = async (file: string, args: string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(file, args, { cwd, env, timeout: 100_000 })).stdout;

/** A Node on this machine that is older than the program supports. */
const tooOld = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((path) => join(path, 'node'))
  .find((node) => existsSync(node) && Number(/^v(\d+)/u.exec(execFileSync(node, ['--version']).toString())?.[1]) < 22);

type Packed = { filename: string; size: number; files: { path: string; mode: number }[] };
let folder: string;
let consumer: string;
let packed: Packed;
const pack = async (from: string): Promise<Packed> => {
  const reported = JSON.parse(
    await run('npm', ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', folder], from),
  ) as [Packed];
  return reported[0];
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-packed-'));
  buildCli(join(folder, 'cli'));
  await buildClient(join(folder, 'client'));
  consumer = join(folder, 'consumer');
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), '{"private":true}');
  packed = await pack(join(folder, 'cli'));
  const beside = [
    await pack(join(folder, 'client')),
    await pack(realpathSync(join(repository, 'packages/cli/node_modules/commander'))),
  ];
  const tarballs = [packed, ...beside].map(({ filename }) => join(folder, filename));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], consumer);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed command line', () => {
  it('contains JavaScript, a README and a licence, and mentions nothing of the repository', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json', 'lib/main/agent-trust.js']));
    expect(paths.filter((path) => /\.ts$|test|\.mjs$/u.test(path))).toEqual([]);
    expect(packed.size).toBeLessThan(packedBytesMax);
    const manifest = readFileSync(join(consumer, 'node_modules/@agent-trust/cli/package.json'), 'utf8');
    expect(manifest).not.toMatch(/workspace:|catalog:|"private"/u);
    expect(statSync(join(consumer, 'node_modules/@agent-trust/cli/lib/main/agent-trust.js')).mode & 0o111).not.toBe(0);
  });

  it('runs by its name, and calls a registry', async () => {
    const program = join(consumer, 'node_modules/.bin/agent-trust');
    expect(await run(program, ['--version'], consumer)).toMatch(/^\d+\.\d+\.\d+\n$/u);
    const health = JSON.parse(await run(program, ['health', '--json', '--url', gateways[0]], consumer)) as {
      status: string;
    };
    expect(health.status).toMatch(/^(ok|degraded)$/u);
    expect(await run(program, ['__complete', '--', 'ver'], consumer)).toBe('verify\n');
  });

  it.runIf(tooOld !== undefined)('names the Node that it needs if it runs on an older one', async () => {
    const program = join(consumer, 'node_modules/@agent-trust/cli/lib/main/agent-trust.js');
    const failure = await run(tooOld ?? '', [program, '--version'], consumer).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^agent-trust: Node 22\.12 or later is needed; this is v\S+\n$/u) as string,
    });
  });

  it('starts without a noticeable delay', async () => {
    const program = join(consumer, 'node_modules/.bin/agent-trust');
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const began = performance.now();
      await run(program, ['verify', '--help'], consumer);
      times.push(performance.now() - began);
    }
    expect(Math.min(...times)).toBeLessThan(startMsMax);
  });
});

describe('the command line in a clone', () => {
  it('runs by the project script, in the current folder', async () => {
    const args = [join(repository, 'packages/dev-stack/bootstrap.mjs'), 'agent-trust', 'keygen', 'here.pem', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: repository,
      env: { ...env, INIT_CWD: folder },
      timeout: 100_000,
    });
    expect((JSON.parse(stdout) as { key_file: string }).key_file).toBe(join(folder, 'here.pem'));
  });
});
