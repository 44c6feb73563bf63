/** Bugs: an alert that does not fire, or that fires at what is usual; a configuration that Prometheus refuses. Prometheus' own tool is asked. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { findPrometheus } from '../support/prometheus-program.ts';

const run = promisify(execFile);
const folder = resolve(import.meta.dirname, '../../infra/observability/prometheus');
const found = await findPrometheus();
const missing = typeof found === 'string' ? found : null;
const promtoolTimeoutMs = 120_000;

/** What promtool has written, and whether it was content. */
const promtool = async (...args: string[]): Promise<{ isContent: boolean; output: string }> => {
  if (typeof found === 'string') throw new Error(found);
  try {
    const { stdout, stderr } = await run(found.promtool, args, { timeout: promtoolTimeoutMs });
    return { isContent: true, output: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return { isContent: false, output: `${stdout}${stderr}${message}` };
  }
};

afterAll(() => {
  if (typeof found !== 'string') found.stop();
});

describe.skipIf(missing !== null)(`the rules of Prometheus${missing === null ? '' : ` (${missing})`}`, () => {
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
      const work = mkdtempSync(join(tmpdir(), 'agent-trust-rules-'));
      try {
        cpSync(folder, work, { recursive: true });
        const path = join(work, 'rules', rules);
        const text = readFileSync(path, 'utf8');
        expect(text).toContain(from);
        writeFileSync(path, text.replaceAll(from, to));
        const { isContent } = await promtool('test', 'rules', join(work, 'tests', test));
        expect(isContent).toBe(false);
      } finally {
        rmSync(work, { recursive: true });
      }
    },
    promtoolTimeoutMs,
  );
});
