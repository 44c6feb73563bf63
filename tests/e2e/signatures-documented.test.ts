import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { gateways } from '../support/ask.ts';

it('the example of docs/signatures.md works', async () => {
  const document = readFileSync(resolve(import.meta.dirname, '../../docs/signatures.md'), 'utf8');
  const script = /<<'EOF'\n(.*?)\nEOF\n/su.exec(document)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'documented-'));
  writeFileSync(join(folder, 'sign.mjs'), script);
  const { stdout } = await promisify(execFile)(process.execPath, ['sign.mjs'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], REGISTRY: gateways[0] },
    timeout: 200_000,
  });
  rmSync(folder, { recursive: true });
  expect(stdout).toMatch(/^201 \{.*status: 'registered'/su);
  expect(stdout).toMatch(/^200 \{\s+agent_id: 'signer-[^']+',\s+status: 'rotated',\s+agent_key: 'registry-agent-sk-/mu);
});
