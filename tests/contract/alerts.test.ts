/** Bugs: an alert that does not fire, or that fires at what is usual; a configuration that Prometheus refuses. Prometheus' own tool is asked. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { findPrometheus } from '../support/prometheus.ts';

const run = promisify(execFile);
const folder = resolve(import.meta.dirname, '../../infra/observability/prometheus');
const work = mkdtempSync(join(tmpdir(), 'agent-trust-promtool-'));
const found = await findPrometheus(work).catch((error: unknown) => {
  if (process.env['CI'] === 'true') throw error;
  process.stderr.write(`skipped: there is no promtool; as root, apt-get install prometheus (${String(error)})\n`);
  return null;
});
const promtoolTimeoutMs = 120_000;

/** What promtool has written, and whether it was content. */
const promtool = async (...args: string[]): Promise<{ isContent: boolean; output: string }> => {
  try {
    const { stdout, stderr } = await run(found?.promtool ?? 'promtool', args, { timeout: promtoolTimeoutMs });
    return { isContent: true, output: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return { isContent: false, output: `${stdout}${stderr}${message}` };
  }
};

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe.skipIf(found === null)('the rules of Prometheus', () => {
  it('are valid, with its configuration', async () => {
    const { isContent, output } = await promtool('check', 'config', join(folder, 'prometheus.yml'));
    expect([isContent, output]).toEqual([true, expect.stringContaining('SUCCESS: 3 rule files found')]);
    expect(output).not.toMatch(/FAILED|warning/iu);
  });

  it.each(readdirSync(join(folder, 'tests')))(
    'do what %s says',
    async (file) => {
      const { isContent, output } = await promtool('test', 'rules', join(folder, 'tests', file));
      expect([isContent, output]).toEqual([true, expect.stringContaining('SUCCESS')]);
    },
    promtoolTimeoutMs,
  );

  // The tests of the alerts must be able to fail.
  it.each([
    ['services.yml', 'alerts.yml', '[15m]) >= 3', '[15m]) >= 4'],
    [
      'writes-and-projection.yml',
      'alerts.yml',
      '(registry_projection_active) == 0',
      '(registry_projection_active) == 1',
    ],
    ['objectives.yml', 'recording.yml', '=~"500|503"', '=~"5.."'],
  ])(
    '%s fails if %s has another %s',
    async (test, rules, from, to) => {
      const changed = mkdtempSync(join(tmpdir(), 'agent-trust-rules-'));
      try {
        cpSync(folder, changed, { recursive: true });
        const path = join(changed, 'rules', rules);
        const text = readFileSync(path, 'utf8');
        expect(text).toContain(from);
        writeFileSync(path, text.replaceAll(from, to));
        const { isContent } = await promtool('test', 'rules', join(changed, 'tests', test));
        expect(isContent).toBe(false);
      } finally {
        rmSync(changed, { recursive: true });
      }
    },
    promtoolTimeoutMs,
  );
});
