import { limits } from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminToken } from '../../../testing/gateway-under-test.ts';
import { mcpLimits } from '../limits.ts';
import { type McpGateways, startMcpGateways } from '../testing/gateways.ts';

const page = 'https://app.example';
let gateways: McpGateways;
let url: string;
beforeAll(async () => {
  gateways = await startMcpGateways({ MCP_ALLOWED_ORIGINS: page, MCP_ALLOWED_HOSTS: 'gateway.inside' });
  url = `${gateways.urls[0]}/mcp-http/mcp`;
});
afterAll(() => gateways.stop());

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
const post = (body: unknown, more: Record<string, string> = {}, at = url, signal?: AbortSignal) =>
  fetch(at, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
const rpc = (id: number, method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id, method, params });
const open = async (): Promise<Record<string, string>> => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const opened = await post(rpc(0, 'initialize', params));
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
};
const listen = (session: Record<string, string>, at = url) =>
  fetch(at, { headers: { accept: 'text/event-stream', ...session } });

describe('limits', () => {
  it('of a message', async () => {
    const response = await post(rpc(1, 'ping', { pad: 'x'.repeat(1024 * 1024) }), await open());
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { error: { data: { code: 'payload_too_large' } } },
    ]);
  });

  it('of nesting', async () => {
    const session = await open();
    const nested = (depth: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    expect((await post(nested(mcpLimits.nestingMax - 2), session)).status).toBe(200);
    for (const depth of [mcpLimits.nestingMax, 400_000]) {
      const refused = await post(nested(depth), session);
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: -32_600 } }]);
    }
  });

  it('of members', async () => {
    const refused = await post(rpc(1, 'ping', { x: Array(limits.bodyMembersMax).fill(0) }), await open());
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: -32_600, message: expect.stringContaining('body.params.x must have at most') } },
    ]);
  });

  it('of messages in a body', async () => {
    const session = await open();
    const several = (count: number) => Array.from({ length: count }, (_, id) => rpc(id, 'ping'));
    expect((await post(several(mcpLimits.batchMax), session)).status).toBe(200);
    expect((await post(several(mcpLimits.batchMax + 1), session)).status).toBe(400);
  });

  it("of a session's concurrent requests; another session has its own", async () => {
    const session = await open();
    const leaving = new AbortController();
    const { begun } = gateways.waiting;
    const under = Array.from({ length: mcpLimits.requests.ownerMax }, (_, id) =>
      post(
        rpc(id, 'tools/call', { name: 'wait' }),
        { ...session, 'mcp-protocol-version': '2025-06-18' },
        url,
        leaving.signal,
      ).catch(() => null),
    );
    await waitFor(() => gateways.waiting.begun === begun + mcpLimits.requests.ownerMax);
    const refused = await post(rpc(999, 'ping'), session);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await post(rpc(1, 'ping'), await open())).status).toBe(200);
    leaving.abort();
    await Promise.all(under);
    // The earlier requests have released their permits.
    expect(await waitFor(async () => (await post(rpc(999, 'ping'), session)).status === 200)).toBe(true);
  });

  it("of a session's streams", async () => {
    const session = await open();
    const streams = await Promise.all(Array.from({ length: mcpLimits.streamsPerSessionMax }, () => listen(session)));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    expect((await listen(session)).status).toBe(503);
    for (const { body } of streams) await body?.cancel();
    const again = await waitFor(async () => {
      const stream = await listen(session);
      return stream.status === 200 ? stream : null;
    });
    await again.body?.cancel();
  });

  it('of a kept answer', async () => {
    const session = await open();
    const chars = mcpLimits.eventBytesMax;
    const called = await post(rpc(5, 'tools/call', { name: 'large', arguments: { chars } }), session);
    const text = await called.text();
    expect(text.length).toBeGreaterThan(chars);
    const [first = ''] = /(?<=^id: )\S+/mu.exec(text) ?? [];
    const again = await fetch(`${gateways.urls[1]}/mcp-http/mcp`, {
      headers: { accept: 'text/event-stream', 'last-event-id': first, ...session },
    });
    expect(await again.text()).toContain('too long to be sent a second time');
  });
});

describe('a page of an allowed origin', () => {
  it('may send requests and read answers', async () => {
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: page, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, page]);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
    expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining([
        'Accept',
        'Authorization',
        'Content-Type',
        'Last-Event-ID',
        'Mcp-Protocol-Version',
        'Mcp-Session-Id',
        'X-API-KEY',
        'X-Request-Id',
      ]),
    );
    const answer = await post(rpc(1, 'ping'), { ...(await open()), origin: page });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, page]);
    expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toEqual(
      expect.arrayContaining(['Mcp-Session-Id', 'X-Request-Id', 'Retry-After']),
    );
    expect(answer.headers.get('vary')).toBe('Origin');
  });

  it("does not act with the operator's token", async () => {
    const session = { ...(await open()), authorization: `Bearer ${adminToken}` };
    const update = async (headers: Record<string, string>): Promise<string> =>
      (await post(rpc(1, 'tools/call', { name: 'update' }), { ...session, ...headers })).text();
    expect(await update({ origin: page })).toContain('browser_request_refused');
    expect(await update({})).not.toContain('browser_request_refused');
  });

  it('and no other page may', async () => {
    const foreign = await post(rpc(1, 'ping'), { origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect((await post(rpc(1, 'ping'))).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('methods', () => {
  it.each(['PUT', 'PATCH', 'HEAD'])('%s is 405', async (method) => {
    const { status, headers: reported } = await fetch(url, { method });
    expect([status, reported.get('allow')]).toEqual([405, 'GET, POST, DELETE, OPTIONS']);
  });
});

describe('a gateway that stops', () => {
  it('ends its streams, finishes requests under way, and leaves the sessions to the others', async () => {
    const session = await open();
    const second = `${gateways.urls[1]}/mcp-http/mcp`;
    const stream = await listen(session, second);
    const { begun } = gateways.waiting;
    const called = post(rpc(1, 'tools/call', { name: 'wait' }), session, second);
    await waitFor(() => gateways.waiting.begun > begun);
    const stopped = gateways.stopOne(1, 10_000);
    expect(await stream.text()).toContain(': open');
    gateways.waiting.release();
    expect(await (await called).text()).toContain('waited');
    await stopped;
    expect((await post(rpc(2, 'ping'), session)).status).toBe(200);
  });
});
