import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { gateways } from '../support/ask.ts';
import { unique } from '../support/registry.ts';

it('the example of docs/idempotency.md registers an agent, with a new key on each run', async () => {
  const document = readFileSync(resolve(import.meta.dirname, '../../docs/idempotency.md'), 'utf8');
  const example = /```sh\n(.*?)\n```/su.exec(document)?.[1] ?? '';
  const script = example
    .replace('localhost:8080', new URL(gateways[0]).host)
    .replace("buyer-'$(date +%s)'", unique('buyer'));
  expect(script).not.toContain('$(date');
  // The example needs only curl and the Node that runs the registry.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const run = async (): Promise<unknown> =>
    JSON.parse((await promisify(execFile)('sh', ['-c', script], { env: { PATH }, timeout: 200_000 })).stdout);
  expect(await run()).toMatchObject({ status: 'registered' });
  // With the same key, the second run would get the first answer; with an empty one, 422.
  expect(await run()).toMatchObject({ code: 'agent_id_taken' });
});
