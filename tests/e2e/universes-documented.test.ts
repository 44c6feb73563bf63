import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { gateways, stack } from '../support/ask.ts';

it('the example of docs/universes.md works', async () => {
  const document = readFileSync(resolve(import.meta.dirname, '../../docs/universes.md'), 'utf8');
  const script = /```sh\n(.*?)\n```/su.exec(document)?.[1] ?? '';
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: { PATH: process.env['PATH'], REGISTRY: gateways[0], ADMIN_KEY: stack.adminKey },
    timeout: 200_000,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  expect(lines).toEqual([
    "[ 'no_transactions', 'sandbox' ]",
    "[ 'unregistered' ]",
    expect.stringMatching(/"moved_to":"production","discoverable":true,"trust_score":75,"transaction_count":0/u),
    'proceed',
    expect.stringMatching(/"moved_to":"sandbox","discoverable":false/u),
    expect.stringMatching(/^shop-\d+$/u),
    'shoes and boots',
    '17',
    'shoes and boots',
  ]);
});
