import { DomainError, updateAgent, whoamiRoute } from '@agent-trust/contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentKey, organisation, orgKey } from '../../../testing/agents.ts';
import { type McpGateways, startMcpGateways } from '../testing/gateways.ts';

let gateways: McpGateways;
beforeAll(async () => {
  gateways = await startMcpGateways();
});
afterAll(() => gateways.stop());

const connect = async (headers: Record<string, string> = {}, url = gateways.urls[0]) => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp-http/mcp`), { requestInit: { headers } });
  // The SDK's own types conflict under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return { client, transport, sessionId: transport.sessionId ?? '' };
};
const whoami = async (client: Client) => {
  const { content, isError } = await client.callTool({ name: 'whoami' });
  return { isError, said: JSON.parse((content as { text: string }[])[0]?.text ?? '') as Record<string, unknown> };
};
const rpc = (id: number, method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id, method, params });
const send = (url: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${url}/mcp-http/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

describe('streamable HTTP', () => {
  it('serves the official client', async () => {
    const { client } = await connect({ 'x-api-key': orgKey });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
    expect(await whoami(client)).toEqual({
      isError: false,
      said: whoamiRoute.answers[200]?.body?.parse({ org_name: organisation.orgName, is_sandbox: false }),
    });
    await client.ping();
    await client.close();
  });

  it('serves a session at every gateway', async () => {
    const { sessionId, client } = await connect();
    for (const url of [...gateways.urls, ...gateways.urls]) {
      const answer = await send(url, rpc(1, 'tools/list'), { 'mcp-session-id': sessionId });
      expect([answer.status, await answer.text()]).toMatchObject([200, expect.stringContaining('whoami')]);
      // A tool's answer may contain a key.
      expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
    }
    await client.close();
  });

  it('refuses a request without a session, with an unknown one, or with one that ended', async () => {
    const [one, two] = gateways.urls;
    expect((await send(one, rpc(1, 'tools/list'))).status).toBe(400);
    expect((await send(one, rpc(1, 'tools/list'), { 'mcp-session-id': 'nonsense' })).status).toBe(404);
    const { transport, sessionId } = await connect();
    await transport.terminateSession();
    for (const url of [one, two]) {
      const answer = await send(url, rpc(1, 'tools/list'), { 'mcp-session-id': sessionId });
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { jsonrpc: '2.0', id: null, error: { code: -32001 } },
      ]);
    }
  });

  it('acts with the credentials of each request, not of the session', async () => {
    const { sessionId, client } = await connect({ 'x-api-key': orgKey });
    const answer = await send(gateways.urls[1], rpc(1, 'tools/call', { name: 'whoami' }), {
      'mcp-session-id': sessionId,
    });
    expect(await answer.text()).toContain('credential_required');
    await client.close();
  });

  it('applies a set key only to its session and the headers that it was set under', async () => {
    const under = { authorization: 'Bearer registry-agent-sk-nobody' };
    const { sessionId, client } = await connect(under);
    gateways.under.bus.answer(updateAgent, ({ actor }) => {
      throw new DomainError('not_owner', `${actor.id} asked`);
    });
    const update = async (headers: Record<string, string>, session = sessionId): Promise<string[]> =>
      Promise.all(
        gateways.urls.map(async (url) => {
          const answer = await send(url, rpc(1, 'tools/call', { name: 'update' }), {
            'mcp-session-id': session,
            ...headers,
          });
          return /"code\W+(\w+)/u.exec((await answer.text()).split('data: {')[1] ?? '')?.[1] ?? 'none';
        }),
      );
    expect(await update(under)).toEqual(['invalid_credential', 'invalid_credential']);
    await client.callTool({ name: 'set_key', arguments: { key: agentKey } });
    expect(gateways.under.logged()).not.toContain(sessionId);
    expect(await update(under)).toEqual(['not_owner', 'not_owner']);
    expect(await update({})).toEqual(['credential_required', 'credential_required']);
    expect(await update({ authorization: 'Bearer somebody' })).toEqual(['invalid_credential', 'invalid_credential']);
    const other = await connect(under);
    expect(await update(under, other.sessionId)).toEqual(['invalid_credential', 'invalid_credential']);
    await Promise.all([client.close(), other.client.close()]);
  });

  it.each([
    ['no JSON', '{', 400, -32_700],
    ['no message', '{"a":1}', 400, -32_600],
    ['nothing', '[]', 400, -32_600],
  ])('answers %s with an error of JSON-RPC', async (_what, body, status, code) => {
    const response = await fetch(`${gateways.urls[0]}/mcp-http/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body,
    });
    expect([response.status, await response.json()]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
  });

  it('cancels a call that its client withdraws at another gateway', async () => {
    const { sessionId, client } = await connect();
    const { begun, cancelled } = gateways.waiting;
    const called = send(gateways.urls[0], rpc(7, 'tools/call', { name: 'wait' }), { 'mcp-session-id': sessionId });
    await waitFor(() => gateways.waiting.begun > begun);
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    const foreign = { 'mcp-session-id': sessionId, authorization: 'Bearer somebody' };
    expect((await send(gateways.urls[1], notice, foreign)).status).toBe(202);
    expect((await send(gateways.urls[1], notice, { 'mcp-session-id': sessionId })).status).toBe(202);
    await waitFor(() => gateways.waiting.cancelled > cancelled);
    expect(await (await called).text()).not.toContain('"result"');
    expect(gateways.waiting.cancelled).toBe(cancelled + 1);
    await client.close();
  });

  it('cancels the call of a client that disconnects and cannot resume', async () => {
    const { sessionId, client } = await connect();
    const { begun, cancelled } = gateways.waiting;
    const leaving = new AbortController();
    const old = { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-06-18' };
    const called = send(gateways.urls[0], rpc(8, 'tools/call', { name: 'wait' }), old, leaving.signal).catch(
      () => null,
    );
    await waitFor(() => gateways.waiting.begun > begun);
    leaving.abort();
    await called;
    expect(await waitFor(() => gateways.waiting.cancelled > cancelled)).toBe(true);
    await client.close();
  });

  it('keeps the answer for a client that resumes, at any gateway', async () => {
    const { sessionId, client } = await connect();
    const leaving = new AbortController();
    const { begun } = gateways.waiting;
    const session = { 'mcp-session-id': sessionId };
    const called = await send(gateways.urls[0], rpc(9, 'tools/call', { name: 'wait' }), session, leaving.signal);
    const reader = called.body?.pipeThrough(new TextDecoderStream()).getReader();
    const id = /^id: (\S+)$/mu.exec((await reader?.read())?.value ?? '')?.[1] ?? '';
    await waitFor(() => gateways.waiting.begun > begun);
    leaving.abort();
    const resume = (headers: Record<string, string>) =>
      fetch(`${gateways.urls[1]}/mcp-http/mcp`, {
        headers: { accept: 'text/event-stream', 'last-event-id': id, ...session, ...headers },
      });
    // Another caller gets nothing, whatever ids it has intercepted.
    expect((await resume({ authorization: 'Bearer somebody' })).status).toBe(400);
    const resumed = await resume({});
    gateways.waiting.release();
    expect(await resumed.text()).toMatch(/id: \S+\ndata: .*"waited"/u);
    await client.close();
  });
});
