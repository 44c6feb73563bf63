import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sim-v2-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (program: string, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> => {
  const file = fileURLToPath(new URL(`./${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
};

describe('sim:v2', () => {
  test('prints a table with v1 beside v2, and writes a plot', async () => {
    const plots = join(folder, 'new', 'plots');
    const { code, out, err } = await run('sim-v2', '--', '--attack', 'domain-minting', '--seed=3-4', '--out', plots);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /\| domain-minting \| peak, 1 organisation under 5 domains \| ≤ 52 \| 45 +\| 96 +\| root = domain: 67 \|/,
    );
    expect(out).toMatch(/^Trust policy v2, seeds 3, 4: /);
    expect(readFileSync(join(plots, 'domain-minting.svg'), 'utf8')).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('prints JSON for programs', async () => {
    const { code, out } = await run('sim-v2', '--json', '--attack', 'domain-minting');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      trust_policy: 'v2',
      seeds: [1],
      attacks: [{ figures: [{ by_v1: [96], controls: [{ control: 'root = domain' }] }] }],
    });
  });

  test('refuses wrong arguments with exit code 2', async () => {
    const { code, out, err } = await run('sim-v2', '--attack', 'nobody');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^there is no attack "nobody"; there are sybil-farm/);
    expect(err).toContain('Usage: npm run sim:v2');
  });
});

describe('sim:search', () => {
  test('prints the best of each budget, the same for the same seed', async () => {
    const args = ['--goal', 'fraud', '--budget', '1,6,20', '--budget', '0,4,20', '--tries', '5', '--seed', '3'];
    const { code, out, err } = await run('sim-search', ...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\| 1 +\| 6 +\| 20 +\| 6 +\|/);
    expect(out).toMatch(/\| 0 +\| 4 +\| 20 +\|/);
    expect((await run('sim-search', ...args)).out).toBe(out);
    const { searches } = JSON.parse((await run('sim-search', '--json', ...args)).out) as { searches: object[] };
    expect(searches).toMatchObject([{ goal: 'fraud', budget: { organisations: 1 }, v1: { gain: 6 } }, {}]);
  });

  test('refuses several seeds with exit code 2', async () => {
    const { code, out, err } = await run('sim-search', '--seed', '1-2');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^--seed must be one number/);
  });
});
