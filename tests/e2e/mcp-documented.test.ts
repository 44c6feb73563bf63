/** Runs the examples of docs/mcp.md unchanged. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createOrg, join } from '../support/ask.ts';
import { mcpGateways } from '../support/mcp-clients.ts';
import { runProgram } from '../support/mcp-program.ts';

const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'u').exec(page)?.[1] ?? '';

it('the example program lists agents', async () => {
  const { auth } = await join((await createOrg()).key, { endpoint_url: 'https://agent.example/' });
  // In the folder of the tests, whose packages the program imports.
  const file = fileURLToPath(new URL(`../node_modules/ask-${process.pid}.mjs`, import.meta.url));
  writeFileSync(file, blockOf('js'));
  try {
    const key = (auth['authorization'] ?? '').slice('Bearer '.length);
    const run = await runProgram(`ask-${process.pid}.mjs`, [], { REGISTRY: mcpGateways[0], AGENT_KEY: key });
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
    expect(run.stdout).toContain('agent_id');
  } finally {
    rmSync(file);
  }
});

it('the example configuration has the address of streamable HTTP', () => {
  const { mcpServers } = JSON.parse(blockOf('json')) as { mcpServers: Record<string, { url: string }> };
  expect(Object.values(mcpServers).map(({ url }) => new URL(url).pathname)).toEqual(['/mcp-http/mcp']);
});
