import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import type { Stack } from '@agent-trust/dev-stack';

/** Readers copy from the client's README: its examples are run, in order, as one program. */
export function testClientReadme(stack: () => Stack): void {
  const clientFolder = resolve(import.meta.dirname, '../../../packages/client');
  const readme = readFileSync(join(clientFolder, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)\n```/gsu)].map(([, code = '']) => code);

  // Outside of the repository, like a reader's own program, with the package in node_modules.
  const folder = mkdtempSync(join(tmpdir(), 'client-readme-'));
  mkdirSync(join(folder, 'node_modules/@agent-trust'), { recursive: true });
  symlinkSync(clientFolder, join(folder, 'node_modules/@agent-trust/client'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('the examples of the client’s README work', async () => {
    const program = join(folder, 'readme.mts');
    writeFileSync(program, examples.join('\n'));
    const env = {
      ...process.env,
      REGISTRY_URL: stack().url,
      ADMIN_KEY: stack().adminKey,
      ADMIN_TOKEN: stack().adminToken,
      NODE_OPTIONS: '',
    };
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env, timeout: 200_000 });
    expect(examples.length).toBeGreaterThan(8);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('40 abort');
    expect(lines[1]).toMatch(/^200 \{/u);
    expect(lines).toContain('44');
    expect(lines).toContain('buys');
    expect(lines).toContain('rotated');
    expect(lines).toContain('signed 44 abort');
    expect(lines.some((line) => /^\d+ production ExchangeReviewed$/u.test(line))).toBe(true);
    expect(lines.some((line) => line.endsWith(' block'))).toBe(true);
  });
}
