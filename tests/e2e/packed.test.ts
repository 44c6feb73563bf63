/**
 * The packages for npm differ from the sources that other tests import: they are compiled, packed and installed. Here all of that happens in an
 * empty folder without a network, and the packages are then used as their users do: the client by plain JavaScript in each Node on this machine,
 * and by TypeScript with the current compiler and the previous one; the command line by its name. In the long form each compiler tries each
 * module resolution.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@agent-trust/test-kit';
import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildPackage as buildCli } from '../../packages/cli/scripts/build.ts';
import { buildPackage as buildClient } from '../../packages/client/scripts/build.ts';
import { gateways } from '../support/ask.ts';

const repository = resolve(import.meta.dirname, '../..');
/** Size limits: of the client, and of the proofs, which only verifying programs load. */
const javaScriptBytesMax = { client: 72 * 1024, log: 56 * 1024 };
const packedBytesMax = { client: 112 * 1024, cli: 96 * 1024 };
/** For a short command in a new process on a busy machine; usually it takes a tenth of that. */
const startMsMax = 2_000;

// The folders of the user's own programs, without those of the repository.
const paths = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
const env = { ...process.env, PATH: [dirname(process.execPath), ...paths].join(delimiter), NODE_OPTIONS: '' };
const run = async (file: string, args: string[], cwd: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(file, args, { cwd, env, timeout: 200_000 }).catch((error: unknown) => {
    const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${file} ${args.join(' ')}: ${out}${stderr}`, { cause: error });
  });
  return stdout;
};

type Packed = { filename: string; size: number; files: { path: string }[] };
let folder: string;
let consumer: string;
let client: Packed;
let cli: Packed;
const installed = (name: 'client' | 'cli'): string => join(consumer, 'node_modules/@agent-trust', name);
const filesOf = (ending: string): string[] =>
  client.files.map(({ path }) => path).filter((path) => path.endsWith(ending));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  const built = { client: join(folder, 'client'), cli: join(folder, 'cli') };
  await buildClient(built.client);
  await buildCli(built.cli);
  const commander = realpathSync(join(repository, 'packages/cli/node_modules/commander'));
  const packing = ['--json', '--offline', '--ignore-scripts', '--pack-destination', folder];
  const reported = await run('npm', ['pack', ...packing, built.client, built.cli, commander], folder);
  const packed = JSON.parse(reported) as [Packed, Packed, Packed];
  [client, cli] = packed;
  consumer = join(folder, 'consumer');
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), '{"private":true,"type":"module"}');
  const tarballs = packed.map(({ filename }) => join(folder, filename));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], consumer);
  return () => rmSync(folder, { recursive: true, force: true });
});

describe('the packed client', () => {
  it('contains code, types, a README and a licence, and nothing else', () => {
    const others = client.files.map(({ path }) => path).filter((path) => !/^lib\/.*(\.js|\.d\.ts)$/u.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(client.files.filter(({ path }) => /test/u.test(path))).toEqual([]);
    expect(client.size).toBeLessThan(packedBytesMax.client);
  });

  it('has no dependencies', () => {
    const names = readdirSync(join(consumer, 'node_modules')).filter((name) => !name.startsWith('.'));
    // One of the command line.
    expect(names).toEqual(['@agent-trust', 'commander']);
    expect(JSON.parse(readFileSync(join(installed('client'), 'package.json'), 'utf8'))).toEqual({
      name: '@agent-trust/client',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/u) as string,
      description: expect.any(String) as string,
      keywords: expect.any(Array) as string[],
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20' },
      exports: {
        '.': { types: './lib/index.d.ts', default: './lib/index.js' },
        './log': { types: './lib/log/index.d.ts', default: './lib/log/index.js' },
      },
      files: ['lib'],
    });
  });

  it('is small, and uses no module of Node', () => {
    const texts = filesOf('.js').map((path) => readFileSync(join(installed('client'), path), 'utf8'));
    const imports = texts.flatMap((text) => [
      ...text.matchAll(/\bfrom\s*["']([^"']+)["']|\bimport\s*\(?["']([^"']+)["']/gu),
    ]);
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.map(([, from, other]) => from ?? other).filter((from) => !from?.startsWith('.'))).toEqual([]);
    // A hash function's class has a method called `process`.
    const ofNode = /(?<!\bthis\.)\b(?:Buffer|process|require|global)\b(?:\.|\((?![^()]*\)\s*\{))/u;
    for (const text of texts) expect(text).not.toMatch(ofNode);
    const bytesOf = (ofLog: boolean): number =>
      filesOf('.js')
        .filter((path) => /^lib\/(?:log|transparency-log|vendor)\//u.test(path) === ofLog)
        .reduce((sum, path) => sum + readFileSync(join(installed('client'), path)).length, 0);
    expect(bytesOf(false)).toBeLessThan(javaScriptBytesMax.client);
    expect(bytesOf(true)).toBeLessThan(javaScriptBytesMax.log);
  });

  it("has the contracts' descriptions on its fields", () => {
    const types = readFileSync(join(installed('client'), 'lib/generated/interface.d.ts'), 'utf8');
    expect(readFileSync(join(installed('client'), 'lib/index.d.ts'), 'utf8')).not.toMatch(/\.ts['"]/u);
    expect(types).toMatch(/\/\*\*[^/]+\*\/\s+trust_score: number;/u);
  });
});

const program = `
import { createRegistryClient, generateKeyPair, RegistryError } from '@agent-trust/client';
const [baseUrl, agentId] = process.argv.slice(2);
const { publicKey, privateKey } = await generateKeyPair();
const registry = createRegistryClient({ baseUrl, signer: { agentId, privateKey } });
const { status } = await registry.register({ agent_id: agentId, public_key: publicKey, endpoint_url: baseUrl + '/health', http_methods: ['GET'] });
const rotated = await registry.requestRotation({ agent_id: agentId });
const refusal = await registry.verify({ agent_id: agentId + '-unknown' }).catch((error) => error);
const pages = [];
for await (const agent of registry.eachAgent({ limit: 200 })) pages.push(agent.agent_id);
console.log(JSON.stringify({
  status, rotated: rotated.status, code: refusal instanceof RegistryError && refusal.code, listed: pages.includes(agentId),
}));
`;

const majorOf = (node: string): number =>
  Number(/^v(\d+)/u.exec(execFileSync(node, ['--version'], { encoding: 'utf8', env }))?.[1]);

/** The Node that runs the tests, and every other supported one on the path. */
const nodes = [process.execPath, ...paths.map((path) => join(path, 'node')).filter(existsSync)]
  .map((path) => realpathSync(path))
  .filter((path, at, all) => all.indexOf(path) === at && majorOf(path) >= 20);

it.each(nodes)('the packed client runs in %s, without types', async (node) => {
  const version = (await run(node, ['--version'], consumer)).trim();
  writeFileSync(join(consumer, 'program.mjs'), program);
  const agentId = `packed-${version}-${process.pid}-${Date.now()}`;
  const reported = await run(node, ['program.mjs', gateways[0], agentId], consumer);
  expect(JSON.parse(reported)).toEqual({
    status: 'registered',
    rotated: 'rotated',
    code: 'agent_not_found',
    listed: true,
  });
});

/** A note by another signer whose text is not a checkpoint: the error appears only after its signature was verified. */
const published = {
  logKey: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  note: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
};
const logProgram = `
import { openCheckpoint, verifyInclusion } from '@agent-trust/client/log';
const { logKey, note } = JSON.parse(process.argv[2]);
const codeOf = (work) => Promise.resolve().then(work).then(() => 'held', ({ code }) => code);
const entry = { position: '1', event_id: 'e', stream: 's', revision: '0', type: 'T', recorded_at: '2026-01-01T00:00:00.000Z', metadata: {}, data: { b: 1, a: 'ü' } };
const leaf = '{"data":{"a":"ü","b":1},"event_id":"e","metadata":{},"position":"1","recorded_at":"2026-01-01T00:00:00.000Z","revision":"0","stream":"s","type":"T"}';
const bytes = new Uint8Array([0, ...new TextEncoder().encode(leaf)]);
const root = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
const proof = { leaf_index: 0, leaf_hash: root, hashes: [], size: 1 };
console.log(JSON.stringify([
  await codeOf(() => openCheckpoint(note, { logKey })),
  await codeOf(() => openCheckpoint(note.replace('answer', 'Answer'), { logKey })),
  await codeOf(() => verifyInclusion(proof, entry, { size: 1, root })),
  await codeOf(() => verifyInclusion(proof, { ...entry, type: 'U' }, { size: 1, root })),
]));
`;

it.each(nodes)('the packed client verifies proofs in %s without other packages', async (node) => {
  writeFileSync(join(consumer, 'log.mjs'), logProgram);
  const reported = await run(node, ['log.mjs', JSON.stringify(published)], consumer);
  expect(JSON.parse(reported)).toEqual(['malformed_checkpoint', 'wrong_signature', 'held', 'wrong_leaf']);
});

const compilerOf = (manifest: string): string =>
  join(dirname(createRequire(join(repository, manifest)).resolve('typescript/package.json')), 'bin/tsc');
/** The repository's own compiler, and the most widely used one. */
const [current, popular] = [compilerOf('package.json'), compilerOf('packages/client/package.json')];
const [nodenext, bundler] = [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }];
const compilations = [
  { tsc: current, resolution: bundler },
  { tsc: popular, resolution: nodenext },
  { tsc: current, resolution: nodenext },
  { tsc: popular, resolution: bundler },
].slice(0, runs(2, 4));

it.each(compilations)(
  '$tsc with $resolution.module accepts the README’s examples, and rejects what the types forbid',
  async ({ tsc, resolution }) => {
    const readme = readFileSync(join(installed('client'), 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```ts\n(.*?)\n```/gsu)].map(([, code = '']) => code);
    const environment = 'declare const process: { env: Record<string, string | undefined> };';
    writeFileSync(join(consumer, 'readme.ts'), [environment, ...examples].join('\n'));
    writeFileSync(
      join(consumer, 'forbidden.ts'),
      `import type { MatchRequest, RegistryClient, ReviewRequest } from '@agent-trust/client';
    declare const registry: RegistryClient;
    // @ts-expect-error a review needs its parties
    export const review: ReviewRequest = { success: true, score: 9 };
    // @ts-expect-error no such protocol
    export const match: MatchRequest = { message_protocol: 'smtp' };
    // @ts-expect-error the answer may be a question
    export const link = (await registry.register({ agent_id: 'a' })).claim_link;
    `,
    );
    const options = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const config = { compilerOptions: { ...options, ...resolution }, include: ['*.ts'] };
    writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(config));
    expect(await run(process.execPath, [tsc, '-p', consumer], consumer)).toBe('');
  },
);

/** A Node on this machine that is older than the command line supports. */
const tooOld = paths.map((path) => join(path, 'node')).find((node) => existsSync(node) && majorOf(node) < 20);

describe('the packed command line', () => {
  it('contains JavaScript, a README and a licence, and mentions nothing of the repository', () => {
    const names = cli.files.map(({ path }) => path);
    expect(names).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json', 'lib/main/agent-trust.js']));
    expect(names.filter((path) => /\.ts$|test|\.mjs$/u.test(path))).toEqual([]);
    expect(cli.size).toBeLessThan(packedBytesMax.cli);
    const manifest = readFileSync(join(installed('cli'), 'package.json'), 'utf8');
    expect(manifest).not.toMatch(/workspace:|catalog:|"private"/u);
    expect(statSync(join(installed('cli'), 'lib/main/agent-trust.js')).mode & 0o111).not.toBe(0);
  });

  it('runs by its name', async () => {
    const program = join(consumer, 'node_modules/.bin/agent-trust');
    expect(await run(program, ['--version'], consumer)).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  it.each(nodes)('calls a registry in %s', async (node) => {
    const program = join(installed('cli'), 'lib/main/agent-trust.js');
    const runs = (...args: string[]): Promise<string> => run(node, [program, ...args], consumer);
    // On a busy machine a part may answer too late to be called well.
    const shown = await waitFor(() => runs('health', '--json', '--url', gateways[0]));
    const health = JSON.parse(shown) as { status: string };
    expect(health.status).toMatch(/^(ok|degraded)$/u);
    expect(await runs('registry', '--url', gateways[0])).toMatch(/\S/u);
    expect(await runs('__complete', '--', 'ver')).toBe('verify\n');
    expect(await runs('keygen', `by-${majorOf(node)}.pem`)).toMatch(/\S/u);
    // The verifier is another package of the repository, which is built in.
    writeFileSync(join(consumer, 'kept.txt'), await runs('log', 'checkpoint', '--url', gateways[0]));
    writeFileSync(join(consumer, 'empty.jsonl'), '');
    const verify = ['log', 'verify', 'empty.jsonl', '--checkpoint', 'kept.txt', '--url', gateways[0]];
    await expect(runs(...verify)).rejects.toThrow('The log is NOT verified.');
  });

  it.runIf(tooOld !== undefined)('names the Node that it needs if it runs on an older one', async () => {
    const program = join(installed('cli'), 'lib/main/agent-trust.js');
    await expect(run(tooOld ?? '', [program, '--version'], consumer)).rejects.toMatchObject({
      cause: {
        code: 2,
        stderr: expect.stringMatching(/^agent-trust: Node 20\.12 or later is needed; this is v\S+\n$/u) as string,
      },
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
      timeout: 200_000,
    });
    expect((JSON.parse(stdout) as { key_file: string }).key_file).toBe(join(folder, 'here.pem'));
  });
});
