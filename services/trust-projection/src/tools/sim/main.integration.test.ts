import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sim-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...args: string[]): Promise<{ code: number | null; out: string; err: string }> => {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
};

describe('sim', () => {
  test('prints a table and writes a plot', async () => {
    const plots = join(folder, 'new', 'plots');
    const { code, out, err } = await run('--', '--attack', 'on-off', '--seed=3-4', '--out', plots);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/bad reviews until below 70 +≤ 6 +6 {2}pass +44 {2}misses it, as it must/);
    expect(out).toContain('seeds 3, 4');
    expect(readdirSync(plots)).toEqual(['on-off.svg']);
    const svg = readFileSync(join(plots, 'on-off.svg'), 'utf8');
    for (const shown of ['trust score', 'below 70', 'below 50', 'target, v1', 'target, plain mean', 'seed 3']) {
      expect(svg).toContain(shown);
    }
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('prints JSON for programs, in which a count that was not reached is null', async () => {
    const { code, out } = await run('--json', '--attack', 'on-off', '--seed', '5');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      trust_policy: 'v1',
      seeds: [5],
      proven: true,
      attacks: [{ attack: 'on-off', control: 'plain mean', figures: [{ worst: 6 }, { control: { best: null } }] }],
    });
  });

  test('refuses wrong arguments with exit code 2', async () => {
    const { code, out, err } = await run('--attack', 'nobody');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^there is no attack "nobody"; there are sybil-farm/);
    expect(err).toContain('Usage: npm run sim');
  });

  test('has a help text, and fails if a plot cannot be written', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Exit codes') as string });
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { code, err } = await run('--attack', 'oscillation', '--out', join(file, 'below'));
    expect(code).toBe(1);
    expect(err).toMatch(/^The plots could not be written: /);
  });

  test.skipIf(process.platform !== 'linux')('fails, too, where a folder can never be made', async () => {
    const { code, err } = await run('--attack', 'oscillation', '--out', '/proc/nowhere/below');
    expect(code).toBe(1);
    expect(err).toMatch(/^The plots could not be written: /);
  });
});
