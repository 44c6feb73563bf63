import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@agent-trust/embedded-servers';
import { expect, it } from 'vitest';
import { gateways } from '../support/ask.ts';

it('the example of docs/import.md imports a card and registers its agent', async () => {
  const document = readFileSync(resolve(import.meta.dirname, '../../docs/import.md'), 'utf8');
  const script = (/```sh\n(.*?)\n```/su.exec(document)?.[1] ?? '')
    .replaceAll('localhost:8080', new URL(gateways[0]).host)
    .replaceAll('4001', String(await freePort()));
  // The example needs only curl and the Node that runs the registry.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], { env: { PATH }, timeout: 200_000 });
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'registered',
    org_name: null,
    specialty: 'Quotes freight by road and rail.',
    capabilities: [{ name: 'freight_quote', weight: 3 }],
  });
  expect(stderr).toContain('The card calls the agent "Freight Quotes". It has the form of A2A 0.3.');
});
