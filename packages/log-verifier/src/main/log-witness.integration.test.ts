import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cosignaturesOf,
  formatVerifierKey,
  leafHashOfBytes,
  openCheckpoint,
  parseTilePath,
  parseVerifierKey,
} from '@agent-trust/transparency-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logSigner, type PublishedTree, publish } from '../testing/publish.ts';

const program = join(import.meta.dirname, 'log-witness.ts');
let folder: string;
let server: Server;
let registry: string;
let key: string;
let served: { tree: PublishedTree; checkpoint: string };
let log: PublishedTree;
let fork: PublishedTree;

const leaves = (count: number, forkAt = count): Uint8Array[] =>
  Array.from({ length: count }, (_, index) =>
    leafHashOfBytes(Buffer.from(`${index < forkAt ? 'event' : 'forked'} ${index}`)),
  );

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'log-witness-'));
  log = await publish(leaves(700));
  fork = await publish(leaves(700, 250));
  key = formatVerifierKey((await logSigner()).key);
  server = createServer(({ url = '' }, response) => {
    if (url === '/log/checkpoint') return response.end(served.checkpoint);
    const tile = parseTilePath(url.slice('/log/'.length));
    if (tile === null) return response.writeHead(404).end();
    return void served.tree.tiles.read(tile).then((bytes) => response.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...more: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const usual = {
      '--registry': registry,
      '--key': key,
      '--name': 'witness.example/w1',
      '--key-file': join(folder, 'witness.pem'),
      '--state': join(folder, 'state'),
    };
    const args = [...Object.entries(usual).flatMap((pair) => (more.includes(pair[0]) ? [] : pair)), ...more];
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
const serve = async (tree: PublishedTree, size: number): Promise<void> => {
  served = { tree, checkpoint: await tree.checkpoint(size) };
};

describe('log:witness', () => {
  it('cosigns a log that grows, and refuses one that was rolled back or forked', async () => {
    await serve(log, 300);
    const first = await run('--new-key');
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(/^First checkpoint seen: 300 events\. Cosigned as /u),
    ]);
    const mode = process.platform === 'win32' ? 0o600 : statSync(join(folder, 'witness.pem')).mode & 0o777;
    expect(mode).toBe(0o600);

    await serve(log, 650);
    const out = join(folder, 'cosigned');
    const second = await run('--out', out);
    expect([second.code, second.stderr]).toEqual([
      0,
      expect.stringContaining('300 events, 650 now, and the first 300 are the same') as string,
    ]);
    const witnessKey = parseVerifierKey(/Cosigned as (\S+)\.\n/u.exec(second.stderr)?.[1] ?? '');
    const opened = await openCheckpoint(readFileSync(out, 'utf8'), {
      logKey: parseVerifierKey(key),
      witnessKeys: [witnessKey],
    });
    expect([opened.size, cosignaturesOf(opened).map(({ key: { name } }) => name)]).toEqual([
      650,
      ['witness.example/w1'],
    ]);
    expect(Math.abs((cosignaturesOf(opened)[0]?.signedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);

    expect((await run()).code).toBe(0);
    const kept = readFileSync(join(folder, 'state'), 'utf8');
    const refused = async (tree: PublishedTree, size: number, says: RegExp): Promise<void> => {
      await serve(tree, size);
      const { code, stdout, stderr } = await run();
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(says)]);
      expect(readFileSync(join(folder, 'state'), 'utf8')).toBe(kept);
      expect(readFileSync(join(folder, 'state.refused'), 'utf8')).toBe(served.checkpoint);
    };
    await refused(log, 649, /rolled back: 650 events were signed, and now it shows 649/u);
    await refused(fork, 650, /signed two trees of 650 events/u);
    await refused(fork, 700, /forked before event 650/u);
    const evidence = served.checkpoint;
    served = { tree: log, checkpoint: evidence.replace('700', '699') };
    expect((await run()).code).toBe(1);
    expect(readFileSync(join(folder, 'state.unsigned'), 'utf8')).toBe(served.checkpoint);
    expect(readFileSync(join(folder, 'state.refused'), 'utf8')).toBe(evidence);

    await serve(log, 700);
    expect((await run()).code).toBe(0);
    expect(existsSync(join(folder, 'state.lock'))).toBe(false);
  }, 60_000);

  it('refuses a key file that others can read, a second witness on one state, and invalid arguments', async () => {
    await serve(log, 700);
    const path = join(folder, 'open.pem');
    writeFileSync(path, readFileSync(join(folder, 'witness.pem')));
    chmodSync(path, 0o644);
    expect(await run('--key-file', path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('chmod 600') as string,
    });
    expect((await run('--new-key')).code).toBe(2);
    expect((await run('--key-file', join(folder, 'none.pem'))).code).toBe(2);
    expect((await run('--name', 'a witness')).code).toBe(2);
    writeFileSync(join(folder, 'state.lock'), String(process.pid));
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('Another witness') as string });
    writeFileSync(join(folder, 'state.lock'), '999999999');
    expect((await run()).code).toBe(0);
    expect((await run('--registry', `${registry}/nowhere`)).code).toBe(3);
    const twice = await run('--out', join(folder, 'one'), '--out', join(folder, 'other'));
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('--out may be given only once') as string });
  }, 60_000);

  it('does not blame the log for an invalid state file', async () => {
    await serve(log, 700);
    const state = join(folder, 'broken');
    for (const text of ['', 'something else\n', served.checkpoint.replace('700', '699')]) {
      writeFileSync(state, text);
      expect(await run('--state', state)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('What the --state file holds is no checkpoint') as string,
      });
      expect(readFileSync(state, 'utf8')).toBe(text);
      expect([existsSync(`${state}.unsigned`), existsSync(`${state}.refused`)]).toEqual([false, false]);
    }
  }, 60_000);
});
