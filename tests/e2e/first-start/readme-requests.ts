import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import type { Stack } from '@agent-trust/dev-stack';

/** Readers paste the requests of the README. */
export function testReadmeRequests(stack: () => Stack): void {
  const folder = mkdtempSync(join(tmpdir(), 'readme-requests-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('the five requests of the README work, also when they are pasted again in the same terminal', async () => {
    const readme = readFileSync(resolve(import.meta.dirname, '../../../README.md'), 'utf8');
    const [, chapter = ''] = readme.split('## The main job in five requests');
    const requests = /```sh\n(.*?)\n```/su.exec(chapter)?.[1] ?? '';
    expect(requests).toContain('localhost:8080');
    mkdirSync(join(folder, '.data'));
    writeFileSync(join(folder, '.data/secrets.json'), JSON.stringify({ ADMIN_KEY: stack().adminKey }));
    // The seller's endpoint is this registry's own page, too.
    const pasted = requests
      .replaceAll('localhost:8080', new URL(stack().url).host)
      .replaceAll('http://127.0.0.1:8080', stack().url);
    const { stdout } = await promisify(execFile)('bash', ['-uc', `${pasted}\n${pasted}`], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      timeout: 200_000,
    });
    const answers = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    // The verdict, the answer to the call, the score after the review.
    const shown = answers.map(({ trust_score, recommended_action, transaction_id }) => [
      trust_score,
      recommended_action,
      typeof transaction_id,
    ]);
    const once = [
      [40, 'abort', 'undefined'],
      [undefined, undefined, 'string'],
      [44, 'abort', 'undefined'],
    ];
    expect(shown).toEqual([...once, ...once]);
  });
}
