/** Servers built with the official MCP SDK: with and without sessions, answering as JSON and as a stream of events. */
import { beforeAll, describe, expect, it } from 'vitest';
import { allEvents } from '../support/secrets-at-rest.ts';
import {
  type Answer,
  type Body,
  call,
  createOrg,
  type HeaderMap,
  join,
  type Member,
  stack,
  verify,
} from '../support/ask.ts';
import { startMcpAgent } from '../support/sdk-agents/mcp-agent.ts';

let caller: Member;
beforeAll(async () => {
  caller = await join((await createOrg()).key);
});

const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const add = (a: number, b: number): Body => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'add', arguments: { a, b } },
});

const mcpServer = async (options: {
  stateful: boolean;
  json: boolean;
}): Promise<{ agentId: string; stop: () => Promise<void> }> => {
  const agent = await startMcpAgent(options);
  const { agentId } = await join({}, { endpoint_url: agent.url, message_protocol: 'mcp' });
  return { agentId, stop: agent.stop };
};

const exchangesOf = async (agentId: string): Promise<string[]> => {
  const types: string[] = [];
  for await (const { type, data } of allEvents(stack.eventLogUrl))
    if (type.startsWith('Exchange') && data['receiverAgentId'] === agentId) types.push(type);
  return types;
};

const open = async (agentId: string): Promise<HeaderMap> => {
  const opened = await call(caller, agentId, initialize);
  expect([opened.status, opened.body['status_code'], opened.body['transaction_id']]).toEqual([200, 200, '']);
  expect(opened.body['body']).toMatchObject({ id: 'init', result: { serverInfo: { name: 'adder' } } });
  return { 'mcp-session-id': String(opened.body['mcp_session_id']) };
};

const sumOf = ({ body }: Answer): unknown =>
  (body['body'] as { result?: { content: { text: string }[] } }).result?.content[0]?.text;

describe.each([
  { answers: 'as JSON', json: true },
  { answers: 'as a stream of events', json: false },
])('an MCP server that answers $answers', ({ json }) => {
  it('with sessions: each caller has its own, initialize is no exchange, every other message is one', async () => {
    const { agentId, stop } = await mcpServer({ stateful: true, json });
    const [first, second] = [await open(agentId), await open(agentId)];
    expect(first['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/u);
    expect(second).not.toEqual(first);
    expect(await exchangesOf(agentId)).toEqual([]);

    const reported = await call(caller, agentId, initialized, {}, first);
    expect([reported.status, reported.body['status_code'], reported.body['body']]).toEqual([200, 202, '']);
    expect(sumOf(await call(caller, agentId, add(2, 3), {}, first))).toBe('5, call 1 of this session');
    expect(sumOf(await call(caller, agentId, add(4, 5), {}, first))).toBe('9, call 2 of this session');
    expect(sumOf(await call(caller, agentId, add(6, 7), {}, second))).toBe('13, call 1 of this session');
    expect((await verify(agentId)).body['transaction_count']).toBe(4);
    const ends = await exchangesOf(agentId);
    expect([ends.length, ends.filter((type) => type === 'ExchangeCompleted').length]).toEqual([8, 4]);
    await stop();
  });

  it("with sessions: the server's own errors reach the caller", async () => {
    const { agentId, stop } = await mcpServer({ stateful: true, json });
    const without = await call(caller, agentId, add(1, 1));
    expect([without.status, without.body['status_code']]).toEqual([200, 400]);
    const session = await open(agentId);
    const unknown = await call(caller, agentId, { ...add(1, 1), method: 'tools/none' }, {}, session);
    expect(unknown.body['body']).toMatchObject({ id: 1, error: { code: -32_601 } });
    const badVersion = await call(
      caller,
      agentId,
      add(1, 1),
      { forwarded_headers: { 'MCP-Protocol-Version': '1999-01-01' } },
      session,
    );
    expect(badVersion.body['status_code']).toBe(400);
    await stop();
  });

  it('without sessions: every message is independent', async () => {
    const { agentId, stop } = await mcpServer({ stateful: false, json });
    const opened = await call(caller, agentId, initialize);
    expect([opened.body['status_code'], opened.body['mcp_session_id']]).toEqual([200, null]);
    for (const _ of [1, 2]) expect(sumOf(await call(caller, agentId, add(20, 22)))).toBe('42, call 1 of this session');
    expect((await verify(agentId)).body['transaction_count']).toBe(2);
    await stop();
  });
});
