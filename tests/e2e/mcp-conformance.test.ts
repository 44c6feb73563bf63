/** The official conformance suite of MCP: the scenarios for a server that has only tools. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mcpGateways } from '../support/mcp-clients.ts';
import { runProgram } from '../support/mcp-program.ts';

type Check = { id: string; status: string; errorMessage?: string };

const checksIn = (folder: string): Check[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('checks.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[]);

it.each([
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-error',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
])('%s', async (scenario) => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  try {
    const url = `${mcpGateways[0]}/mcp-http/mcp`;
    const run = await runProgram('@modelcontextprotocol/conformance/dist/index.js', [
      'server',
      '--url',
      url,
      '--scenario',
      scenario,
      '--output-dir',
      folder,
    ]);
    const checks = checksIn(folder);
    const failed = checks.filter(({ status }) => status !== 'SUCCESS');
    expect({ code: run.code, failed, said: run.code === 0 ? '' : run.stdout + run.stderr }).toEqual({
      code: 0,
      failed: [],
      said: '',
    });
    expect(checks.length).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
