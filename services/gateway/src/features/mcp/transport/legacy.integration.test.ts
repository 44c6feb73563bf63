import { waitFor } from '@agent-trust/test-kit';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
// This file tests the older transport.
// oxlint-disable-next-line typescript/no-deprecated
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organisation, orgKey } from '../../../testing/agents.ts';
import { type McpGateways, startMcpGateways } from '../testing/gateways.ts';

let gateways: McpGateways;
beforeAll(async () => {
  gateways = await startMcpGateways();
});
afterAll(() => gateways.stop());

/** A stream with the events read so far and the address for messages. */
const openStream = async (url = gateways.urls[0]) => {
  const leaving = new AbortController();
  const response = await fetch(`${url}/mcp/sse`, { signal: leaving.signal });
  const stream = { text: '', isOver: false, close: () => leaving.abort() };
  const read = async (): Promise<void> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) stream.text += chunk;
  };
  read()
    .catch(() => undefined)
    .finally(() => {
      stream.isOver = true;
    });
  const path = await waitFor(() => /event: endpoint\ndata: (\S+)/u.exec(stream.text)?.[1]);
  return Object.assign(stream, { path });
};
const send = (url: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const call = (id: number, name: string, args: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('the older transport', () => {
  it('serves the official client', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new SSEClientTransport(new URL(`${gateways.urls[0]}/mcp/sse`), {
      requestInit: { headers: { 'x-api-key': orgKey } },
    });
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
    expect(JSON.stringify(await client.callTool({ name: 'whoami' }))).toContain(organisation.orgName);
    await client.close();
  });

  it('accepts messages at any gateway and answers in the stream', async () => {
    const stream = await openStream();
    for (const [index, url] of [...gateways.urls, ...gateways.urls].entries()) {
      expect((await send(url, stream.path, call(index, 'whoami'), { 'x-api-key': orgKey })).status).toBe(202);
    }
    await waitFor(() => (stream.text.match(new RegExp(organisation.orgName, 'gu')) ?? []).length === 4);
    expect(gateways.under.logged()).not.toContain(stream.path.split('=')[1]);
    stream.close();
  });

  it('acts with the credentials of each message', async () => {
    const stream = await openStream();
    await send(gateways.urls[1], stream.path, call(1, 'whoami'));
    await waitFor(() => stream.text.includes('credential_required'));
    expect(stream.text).not.toContain(organisation.orgName);
    stream.close();
  });

  it('does not find a session whose stream is closed, or one of the other transport', async () => {
    const stream = await openStream();
    stream.close();
    for (const url of gateways.urls) {
      expect(await waitFor(async () => (await send(url, stream.path, call(1, 'whoami'))).status === 404)).toBe(true);
    }
    expect((await send(gateways.urls[0], '/mcp/messages?sessionId=none', call(1, 'whoami'))).status).toBe(404);
    expect((await send(gateways.urls[0], '/mcp/messages', call(1, 'whoami'))).status).toBe(400);
    const other = await openStream();
    const sessionId = other.path.split('=')[1] ?? '';
    const crossed = await fetch(`${gateways.urls[0]}/mcp-http/mcp`, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': sessionId },
    });
    expect(crossed.status).toBe(404);
    other.close();
  });

  it('cancels its calls when its client disconnects', async () => {
    const stream = await openStream();
    const { begun, cancelled } = gateways.waiting;
    await send(gateways.urls[1], stream.path, call(1, 'wait'));
    await waitFor(() => gateways.waiting.begun > begun);
    stream.close();
    expect(await waitFor(() => gateways.waiting.cancelled > cancelled)).toBe(true);
  });

  it('ends when its gateway stops, after the answer that is under way', async () => {
    const [idle, busy] = await Promise.all([openStream(gateways.urls[1]), openStream(gateways.urls[1])]);
    const { begun } = gateways.waiting;
    await send(gateways.urls[0], busy.path, call(1, 'wait'));
    await waitFor(() => gateways.waiting.begun > begun);
    const stopped = gateways.stopOne(1, 10_000);
    await waitFor(() => idle.isOver);
    expect(busy.isOver).toBe(false);
    gateways.waiting.release();
    await stopped;
    await waitFor(() => busy.isOver);
    expect(busy.text).toContain('waited');
    expect(await waitFor(async () => (await send(gateways.urls[0], busy.path, call(2, 'whoami'))).status)).toBe(404);
  });
});
