/** The public inspector of MCP, in its mode for the command line, over both transports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { tools } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, type Org, createOrg, join } from '../support/ask.ts';
import { mcpGateways } from '../support/mcp-clients.ts';
import { type ProgramRun, runProgram } from '../support/mcp-program.ts';

let org: Org;
let agent: Member;
let home: string;
beforeAll(async () => {
  org = await createOrg();
  agent = await join(org.key);
  home = mkdtempSync(joinPath(tmpdir(), 'mcp-inspector-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const transports = [
  ['streamable HTTP', 'http', `${mcpGateways[0]}/mcp-http/mcp`],
  ['SSE', 'sse', `${mcpGateways[1]}/mcp/sse`],
] as const;

describe.each(transports)('over %s', (_name, transport, url) => {
  const inspect = async (...args: string[]): Promise<ProgramRun> =>
    runProgram(
      '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
      ['--cli', url, '--transport', transport, ...args],
      { HOME: home },
    );
  const header = (headers: Record<string, string>): string[] =>
    Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const bodyOf = ({
    stdout,
    stderr,
  }: ProgramRun): { isError?: boolean; structuredContent: Record<string, unknown> } => {
    try {
      return JSON.parse(stdout) as never;
    } catch (cause) {
      throw new Error(`the inspector said ${stdout}${stderr}`, { cause });
    }
  };

  it('lists the sixteen tools, in whose schemas it finds no fault', async () => {
    const run = await inspect('--method', 'tools/list', '--strict');
    expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
    const listed = (JSON.parse(run.stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(listed.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('calls a tool as anybody, and as an organisation', async () => {
    const found = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'get_agent',
      '--tool-arg',
      `agent_id=${agent.agentId}`,
    );
    expect(bodyOf(found)).toMatchObject({ structuredContent: { agent_id: agent.agentId } });
    const owned = await inspect(...header(org.key), '--method', 'tools/call', '--tool-name', 'list_org_agents');
    expect(bodyOf(owned)).toMatchObject({ structuredContent: { result: [{ agent_id: agent.agentId }] } });
    const nobody = await inspect('--method', 'tools/call', '--tool-name', 'list_org_agents');
    expect(nobody.stdout + nobody.stderr).toContain('credential_required');
  });
});
