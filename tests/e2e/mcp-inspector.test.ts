/**
 * The official MCP inspector, in its command-line mode, over both transports: it accepts the schemas of the tools, passes arguments and
 * headers, and shows answers and refusals. Each call is a process, so all tools are called in the long form only; the official client
 * calls all of them over both transports in every run (`mcp-tools.test.ts`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { tools } from '@agent-trust/contracts';
import { runs } from '@agent-trust/test-kit/runs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cardOf } from '../support/agent-cards.ts';
import { type HeaderMap, type Org, createOrg, join } from '../support/ask.ts';
import { mcpGateways } from '../support/mcp-clients.ts';
import { type ProgramRun, runProgram } from '../support/mcp-program.ts';
import { type RecordingAgent, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

/** The seller answers every request with this, so also a request for its card. */
const card = cardOf('Seller', 'Sells.');

let org: Org;
let seller: RecordingAgent;
let home: string;
beforeEach(async () => {
  org = await createOrg();
});
beforeAll(async () => {
  seller = await startRecordingAgent(respondJson(200, card));
  home = mkdtempSync(joinPath(tmpdir(), 'mcp-inspector-'));
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await seller.stop();
});

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
      throw new Error(`the inspector printed ${stdout}${stderr}`, { cause });
    }
  };

  it('lists the tools, whose schemas it accepts', async () => {
    const run = await inspect('--method', 'tools/list', '--strict');
    expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
    const listed = (JSON.parse(run.stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(listed.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  /** Calls a tool and returns its successful answer. */
  const call = async (name: string, args: Record<string, unknown> = {}, headers: HeaderMap = {}) => {
    const given = Object.entries(args).flatMap(([argument, value]) => [
      '--tool-arg',
      `${argument}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
    const run = await inspect(...header(headers), '--method', 'tools/call', '--tool-name', name, ...given);
    const { isError, structuredContent } = bodyOf(run);
    if (isError === true) throw new Error(`${name} is refused: ${JSON.stringify(structuredContent)}`);
    called.add(name);
    return structuredContent;
  };
  const called = new Set<string>();

  it.runIf(runs(0, 1) === 1)('calls all tools', { timeout: 240_000 }, async () => {
    const [live, caller] = [await join(org.key, { endpoint_url: seller.url }), await join((await createOrg()).key)];
    const draft = unique('inspected');
    const { claim_link } = await call(
      'register_agent',
      { agent_id: draft, clone_from_agent_id: live.agentId },
      org.sandboxKey,
    );
    const { agent_key } = await call('claim_bearer_key', { claim_link });
    await call('set_agent_key', { agent_key });

    const { agentId } = live;
    expect(await call('verify_agent', { agent_id: agentId })).toMatchObject({ org_name: org.name });
    expect(await call('get_agent', { agent_id: agentId })).toMatchObject({ agent_id: agentId });
    expect(await call('list_registry', { limit: 1 })).toMatchObject({ result: [{}] });
    expect(await call('match_agents', { org_name: org.name, limit: 2 })).toHaveProperty('result');
    expect(await call('protocol_reference', { topic: 'payment_flow' })).toMatchObject({ topic: 'payment_flow' });
    expect(await call('import_agent', { domain_url: seller.url })).toHaveProperty('preview');

    expect(await call('list_org_agents', {}, org.sandboxKey)).toMatchObject({ result: [{ agent_id: draft }] });
    const sandbox_agent_id = draft;
    expect(await call('preview_sandbox_match', { sandbox_agent_id }, org.sandboxKey)).toHaveProperty('draft_agent_id');
    expect(await call('promote_sandbox_agent', { sandbox_agent_id }, org.sandboxKey)).toHaveProperty('fields_copied');

    const own = { agent_id: caller.agentId };
    expect(await call('update_agent', { ...own, specialty: 'new' }, caller.auth)).toMatchObject({ specialty: 'new' });
    const parties = { caller_agent_id: caller.agentId, agent_id: agentId };
    const exchange = await call('call_agent', { ...parties, message: textMessage('hi') }, caller.auth);
    expect(exchange).toMatchObject({ status_code: 200 });
    const { transaction_id } = exchange;
    const verdict = { caller_agent_id: caller.agentId, receiver_agent_id: agentId, success: true, score: 9 };
    expect(await call('review_transaction', { transaction_id, ...verdict }, caller.auth)).toMatchObject({
      transaction_count: 1,
    });
    const said = { agent_id: agentId, transaction_id, text: 'Glad to help.' };
    expect(await call('answer_review', said, live.auth)).toMatchObject({ status: 'answered' });
    expect(await call('rotate_agent_key', own, caller.auth)).toMatchObject({ status: 'claim_issued' });
    expect(await call('retire_agent', own, caller.auth)).toMatchObject({ status: 'retired' });
    expect([...called].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('shows the answers of a reading and a writing tool, and a refusal', async () => {
    const { agentId, auth } = await join(org.key);
    expect(await call('verify_agent', { agent_id: agentId })).toMatchObject({ org_name: org.name });
    const update = { agent_id: agentId, specialty: 'new', capabilities: ['translation'] };
    expect(await call('update_agent', update, auth)).toMatchObject({ specialty: 'new' });
    const nobody = await inspect('--method', 'tools/call', '--tool-name', 'list_org_agents');
    expect(nobody.stdout + nobody.stderr).toContain('credential_required');
  });
});
