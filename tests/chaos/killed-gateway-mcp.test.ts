/**
 * Bugs: an MCP session, or the key set in it, is lost with the gateway that opened it; a client's stream outlives its gateway; the session of
 * a stream remains although no gateway holds the stream any more.
 * Method: two gateways; one is killed with SIGKILL while its clients hold sessions over both transports and listen.
 */
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganisation, httpTo, type Member, registerAgent } from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';

let stack: Stack;
let first: string;
let second: string;
let agent: Member;
beforeAll(async () => {
  stack = await startChaosStack({ GATEWAYS: '2' });
  [first = '', second = ''] = stack.urls;
  agent = await registerAgent(httpTo(first), { key: (await createOrganisation(stack)).key });
});
afterAll(() => stack.stop());

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
const post = (url: string, method: string, params: unknown, more: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'chaos', version: '1' } };
const open = async (gateway: string): Promise<Record<string, string>> => {
  const opened = await post(`${gateway}/mcp-http/mcp`, 'initialize', initialize);
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
};
const callTool = async (gateway: string, session: Record<string, string>, name: string, args: unknown) =>
  (await post(`${gateway}/mcp-http/mcp`, 'tools/call', { name, arguments: args }, session)).text();
const review = { caller_agent_id: '', receiver_agent_id: 'nobody', success: true, score: 1 };

/** Reads a stream until it breaks. */
const readToEnd = async (response: Response, heard: (text: string) => void = () => undefined): Promise<void> => {
  try {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard(text);
  } catch {
    // Killing a gateway breaks its streams.
  }
};

describe('kill -9 of a gateway', () => {
  it('keeps the sessions of streamable HTTP and ends those of the older transport', async () => {
    const session = await open(first);
    const set = await callTool(first, session, 'set_agent_key', { agent_key: agent.key });
    expect(set).not.toContain('"isError":true');
    const listening = await fetch(`${first}/mcp-http/mcp`, { headers: { accept: 'text/event-stream', ...session } });
    let reported = '';
    const stream = await fetch(`${first}/mcp/sse`);
    const ended = Promise.all([
      readToEnd(listening),
      readToEnd(stream, (text) => {
        reported += text;
      }),
    ]);
    const path = await waitFor(() => /data: (\S+)/u.exec(reported)?.[1]);
    expect((await post(`${second}${path}`, 'ping', {})).status).toBe(202);

    stack.kill('gateway', 'SIGKILL');
    await ended;
    // The other gateway accepts the key that was set at the killed one: the refusal concerns the receiver, and only an authenticated agent gets that far.
    const answer = await callTool(second, session, 'review_transaction', { ...review, caller_agent_id: agent.agentId });
    expect(answer).toContain('agent_not_found');
    expect((await post(`${second}${path}`, 'ping', {})).status).toBe(404);
    await waitFor(async () => (await fetch(`${first}/health`)).status === 200, { timeoutMs: 30_000 });
    expect((await post(`${first}/mcp-http/mcp`, 'ping', {}, session)).status).toBe(200);
    expect((await post(`${first}${path}`, 'ping', {})).status).toBe(404);
  });
});
