import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cosign,
  formatVerifierKey,
  type LogEntry,
  leafHash,
  noteSigner,
  signatureTypes,
  tilePath,
  toHex,
} from '@agent-trust/transparency-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerificationReport } from '../report/report.ts';
import { logSigner, origin, publish } from '../testing/publish.ts';

const program = join(import.meta.dirname, 'log-verify.ts');
let folder: string;
let server: Server;
let registry: string;
let key: string;
const files = { whole: '', changed: '', evil: '', checkpoint: '', cosigned: '', key: '' };

const entries: LogEntry[] = Array.from({ length: 5 }, (_, index) => ({
  position: String(index + 1),
  event_id: `e${index}`,
  stream: 's',
  revision: String(index),
  type: 'T',
  recorded_at: '2026-01-01T00:00:00.000Z',
  metadata: {},
  data: { index },
}));
const text = (these: readonly LogEntry[]): string =>
  these
    .map(
      (entry, index) =>
        `${JSON.stringify({ ...entry, leaf_index: String(index), leaf_hash: toHex(leafHash(entry)) })}\n`,
    )
    .join('');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'log-verify-'));
  for (const name of Object.keys(files) as (keyof typeof files)[]) files[name] = join(folder, name);
  const published = await publish(entries.map(leafHash));
  key = formatVerifierKey((await logSigner()).key);
  writeFileSync(files.whole, text(entries));
  writeFileSync(files.changed, text(entries.with(3, { ...(entries[3] as LogEntry), type: 'U' })));
  writeFileSync(files.checkpoint, await published.checkpoint());
  writeFileSync(files.key, `${key}\n`);
  const tile = { level: 0, index: 0, width: 5 };
  const served: Record<string, string | Uint8Array> = {
    '/log/checkpoint': await published.checkpoint(),
    '/log/key': JSON.stringify({ origin, verifier_key: key }),
    [`/log/${tilePath(tile)}`]: await published.tiles.read(tile),
  };
  server = createServer(({ url = '' }, response) => {
    const body = served[url];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, EVENT_LOG_URL: '', DATA_DIR: folder };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

describe('log:verify', () => {
  it('reports that a log is verified, offline', async () => {
    const { code, stdout } = await run('--export', files.whole, '--checkpoint', files.checkpoint, '--key', files.key);
    expect(code).toBe(0);
    expect(stdout).toMatch(/5 events, the last at position 5/u);
    expect(stdout).toMatch(/^ {2}ok {4}.*signed by registry\.example\/log$/mu);
    expect(stdout).toMatch(/^The log is verified\.$/mu);
  });

  it("reports where a log is not verified, by a registry's tiles, and that its key was the registry's", async () => {
    const { code, stdout } = await run('--export', files.changed, '--registry', registry);
    expect(code).toBe(1);
    expect(stdout).toMatch(/event_changed: index 3: U at position 4, revision 3 of stream "s"/u);
    expect(stdout).toMatch(/give one that you kept from before by --key/u);
    expect(stdout).toMatch(/^The log is NOT verified\.$/mu);
  });

  it('prints nothing of an export that could control the terminal', async () => {
    const evil = { ...(entries[3] as LogEntry), type: '\u001b[2K\u009b1A\u202eThe log is verified.' };
    writeFileSync(files.evil, text(entries.with(3, evil)));
    const { code, stdout } = await run('--export', files.evil, '--registry', registry);
    expect(code).toBe(1);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(stdout).toContain(String.raw`index 3: \u{1b}[2K\u{9b}1A\u{202e}The log is verified.`);
  });

  it('is not satisfied by a named witness that did not cosign', async () => {
    const given = ['--export', files.whole, '--key', key, '--checkpoint', files.checkpoint];
    const witness = await noteSigner('witness.example/w1', new Uint8Array(32).fill(9), signatureTypes.cosignatureV1);
    const named = [...given, '--witness-key', formatVerifierKey(witness.key)];
    const alone = await run(...named);
    expect([alone.code, alone.stdout]).toEqual([
      1,
      expect.stringMatching(/not_cosigned: the witness witness\.example\/w1 has cosigned none of the checkpoints/u),
    ]);
    const note = readFileSync(files.checkpoint, 'utf8');
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    writeFileSync(files.cosigned, `${note}${await cosign(text, witness, 1_768_471_200)}`);
    const both = await run(...named, '--checkpoint', files.cosigned);
    expect([both.code, both.stdout]).toEqual([
      0,
      expect.stringMatching(/cosigned by witness\.example\/w1 at 2026-01-15T10:00:00\.000Z/u),
    ]);
    expect(await run(...given, '--witness-key', key)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is no witness's") as string,
    });
    for (const option of ['--key', '--witness-key']) {
      const rest = given.filter((text) => option !== '--key' || ![option, key].includes(text));
      expect(await run(...rest, option, 'x')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`The key of ${option} cannot be used`) as string,
      });
    }
  });

  it('reports in JSON', async () => {
    const { code, stdout } = await run('--json', '--export', files.changed, '--registry', registry, '--key', key);
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as VerificationReport;
    expect(report).toMatchObject({
      verified: false,
      log: { events: 5, last_position: '5' },
      checkpoints: [{ verified: false, origin, size: 5 }],
      findings: [{ code: 'event_changed', index: 3, position: '4', event_id: 'e3' }],
      findings_left_out: 0,
      remarks: [expect.stringMatching(/broke off/u)],
    });
  });

  it('distinguishes invalid arguments from unreadable input', async () => {
    expect(await run('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: npm run log:verify') as string,
    });
    expect((await run()).code).toBe(2);
    expect((await run('--exprot', files.whole)).code).toBe(2);
    expect(await run('--export', files.whole, '--export', files.changed, '--registry', registry)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--export may be given only once') as string,
    });
    expect((await run('--export', `${files.whole}x`, '--checkpoint', files.checkpoint, '--key', key)).code).toBe(2);
    expect(await run('--export', files.whole, '--checkpoint', files.checkpoint)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give --key or --registry') as string,
    });
    expect((await run('--export', files.whole, '--checkpoint', files.checkpoint, '--key', `${key}x`)).code).toBe(2);
    const nobody = ['--event-log', 'postgres://reader:pass-word@127.0.0.1:1/log'];
    expect(await run(...nobody, '--checkpoint', files.checkpoint, '--key', key)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^the event log 127\.0\.0\.1:1\/log could not be reached: \S(?!.*pass-word)/u,
      ) as string,
    });
    expect(await run('--export', files.whole, '--registry', `${registry}/nowhere`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('answered 404') as string,
    });
  });
});
