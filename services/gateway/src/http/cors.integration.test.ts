/**
 * Bugs: a page that is not allowed reads an answer, or learns that it may send a credential; an allowed one cannot read a refusal, a stream or a
 * payment; a cache returns the answer for one page to another; pages can use operators' keys. Over real sockets.
 */
import { executeCall, relayPayment } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentKey, orgKey } from '../testing/agents.ts';
import {
  adminKey,
  adminToken,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../testing/gateway-under-test.ts';
import { edgeLimits } from '../limits.ts';

const page = 'https://app.example';
const otherOrigins = [
  'https://evil.example',
  'https://app.example.evil.example',
  'http://app.example',
  'https://app.example:8443',
  'null',
  `${page}, ${page}`,
];

let under: GatewayUnderTest;
let closed: GatewayUnderTest;
beforeAll(async () => {
  [under, closed] = await Promise.all([
    startGatewayUnderTest({ CORS_ALLOWED_ORIGINS: `http://127.0.0.1:5173,${page}` }),
    startGatewayUnderTest(),
  ]);
});
afterAll(() => Promise.all([under.stop(), closed.stop()]));

const corsOf = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const preflight = (path: string, headers: Record<string, string> = {}, at = under) =>
  fetch(`${at.url}${path}`, {
    method: 'OPTIONS',
    headers: { origin: page, 'access-control-request-method': 'POST', ...headers },
  });
const listOf = ({ headers }: Response, name: string): string[] =>
  (headers.get(name) ?? '').split(', ').map((one) => one.toLowerCase());
const expectReadable = (response: Response, names: string[] = []): void => {
  expect(response.headers.get('access-control-allow-origin')).toBe(page);
  expect(listOf(response, 'access-control-expose-headers')).toEqual(
    expect.arrayContaining(['x-request-id', 'retry-after', ...names]),
  );
  expect(listOf(response, 'vary')).toContain('origin');
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
};
const expectClosed = (response: Response): void => expect(corsOf(response)).toEqual([]);

describe('a page of an allowed origin', () => {
  it.each([
    ['/verify', 'POST', ['x-api-key', 'content-type', 'x-request-id']],
    ['/agent/some%20agent', 'GET, HEAD', ['x-api-key']],
    ['/org/sandbox-key', 'POST, DELETE', ['x-api-key']],
    [
      '/call?x=1',
      'POST',
      ['authorization', 'idempotency-key', 'signature', 'signature-input', 'content-digest', 'x-payment'],
    ],
    ['/pay/receiver', 'GET, POST', ['authorization', 'x-payment', 'payment-signature']],
  ])('learns what it may send to %s', async (path, methods, headers) => {
    const response = await preflight(path);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-methods')).toBe(methods);
    expect(listOf(response, 'access-control-allow-headers')).toEqual(expect.arrayContaining(headers));
    expect(listOf(response, 'access-control-allow-headers')).not.toContain('x-admin-key');
    expect(response.headers.get('access-control-max-age')).toBe(String(edgeLimits.preflightSecondsMax));
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/u);
    expectReadable(response);
  });

  it('can read answers', async () => {
    expectReadable(await post(`${under.url}/verify`, { agent_id: 'receiver' }, { origin: page }));
  });

  it.each([
    ['no such agent', 'POST', '/verify', '{"agent_id":"nobody"}', 404],
    ['no JSON', 'POST', '/verify', '{', 422],
    ['too much', 'POST', '/verify', 'x'.repeat(2 * 1024 * 1024), 413],
    [
      'no credential',
      'POST',
      '/review',
      '{"caller_agent_id":"a","receiver_agent_id":"b","success":true,"score":1}',
      401,
    ],
    ['another method', 'PUT', '/verify', '', 405],
    ['a path that does not decode', 'GET', '/agent/%ff', null, 422],
    ['a payment to nobody', 'POST', '/pay/%00', '', 422],
  ])('can read why it was refused: %s', async (_what, method, path, body, status) => {
    const response = await fetch(`${under.url}${path}`, {
      method,
      body,
      headers: { origin: page, 'content-type': 'application/json' },
    });
    expect(response.status).toBe(status);
    expectReadable(response);
  });

  it('can read a fault of the service', async () => {
    const response = await fetch(`${under.url}/registry`, { headers: { origin: page } });
    expect(response.status).toBe(500);
    expectReadable(response, ['link', 'x-total-count']);
  });

  it('can read headers of HEAD, and that its copy is current', async () => {
    const url = `${under.url}/openapi.json`;
    const head = await fetch(url, { method: 'HEAD', headers: { origin: page } });
    expect(head.status).toBe(200);
    expectReadable(head, ['etag']);
    const same = await fetch(url, {
      headers: { origin: page, 'if-none-match': head.headers.get('etag') ?? '' },
      cache: 'no-store',
    });
    expect(same.status).toBe(304);
    expectReadable(same, ['etag']);
  });

  it('can read a stream with its headers', async () => {
    under.bus.answerStream(executeCall, async (_input, body, answer) => {
      for await (const _ of body);
      answer.head({
        contentType: 'text/event-stream',
        transactionId: 't-1',
        statusCode: 200,
        responseHeaders: {},
        streaming: true,
        mcpSessionId: null,
        position: null,
      });
      await answer.write(Buffer.from('data: {"n":1}\n\n'));
      return { position: '9', fallbackAgentId: null, endIsRecorded: true };
    });
    const message = { jsonrpc: '2.0', method: 'message/stream', params: {} };
    const response = await post(
      `${under.url}/call`,
      { caller_agent_id: 'caller', agent_id: 'receiver', message },
      { origin: page, authorization: `Bearer ${agentKey}` },
    );
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toContain('data: {"n":1}');
    expectReadable(response, ['x-registry-transaction-id', 'x-registry-status-code']);
  });

  it('can read a relayed answer, whose own Vary is kept', async () => {
    under.bus.answerStream(relayPayment, async (_input, body, answer) => {
      for await (const _ of body);
      const headers = { vary: 'Accept', 'payment-required': 'e30=' };
      answer.head({ statusCode: 402, headers, attribution: 'none', position: null });
      return {};
    });
    const response = await fetch(`${under.url}/pay/receiver`, { headers: { origin: page } });
    expect([response.status, response.headers.get('vary')]).toEqual([402, 'Accept, Origin']);
    expectReadable(response, ['payment-required', 'x-payment-response', 'x-registry-attribution']);
  });
});

describe('any other client', () => {
  it.each(otherOrigins)('with the origin %s can send nothing and read nothing', async (origin) => {
    const asked = await preflight('/verify', { origin });
    expect([asked.status, asked.headers.get('allow')]).toEqual([405, 'POST']);
    expectClosed(asked);
    const answer = await post(`${under.url}/verify`, { agent_id: 'receiver' }, { origin });
    expect(answer.status).toBe(200);
    expectClosed(answer);
    expect(answer.headers.get('vary')).toBe('Origin');
  });

  it('(a page or a program) gets answers that caches distinguish', async () => {
    const answer = await fetch(`${under.url}/openapi.json`);
    expectClosed(answer);
    expect([answer.headers.get('vary'), answer.headers.get('cache-control')]).toEqual([
      'Origin, Accept-Encoding',
      'public, max-age=300',
    ]);
  });

  it('is every page if no origin is configured', async () => {
    expect((await preflight('/verify', {}, closed)).status).toBe(405);
    const answer = await post(`${closed.url}/verify`, { agent_id: 'receiver' }, { origin: page });
    expectClosed(answer);
    expect(answer.headers.get('vary')).toBeNull();
  });
});

describe('CORS does not allow', () => {
  it.each([
    ['/org/create-key'],
    ['/org/create%2Dkey'],
    ['/ops/settlements'],
    ['/docs'],
    ['/docs/page.css'],
    ['/nowhere'],
  ])('%s', async (path) => {
    const asked = await preflight(path);
    expect([404, 405]).toContain(asked.status);
    expectClosed(asked);
    for (const method of ['GET', 'POST'])
      expectClosed(await fetch(`${under.url}${path}`, { method, headers: { origin: page } }));
  });

  it('an OPTIONS request that is no preflight', async () => {
    const response = await fetch(`${under.url}/verify`, { method: 'OPTIONS', headers: { origin: page } });
    expect(response.status).toBe(405);
    expectReadable(response);
  });

  it("an operator's key and token", async () => {
    const created = await post(
      `${under.url}/org/create-key`,
      { org_name: 'Acme', contact_email: 'a@b.example' },
      { origin: page, 'x-admin-key': adminKey },
    );
    expect([created.status, await created.json()]).toMatchObject([403, { code: 'browser_request_refused' }]);
    const token = { authorization: `Bearer ${adminToken}` };
    for (const [path, body] of [
      ['/register', { agent_id: 'a' }],
      ['/update', { agent_id: 'a' }],
      ['/rotate', { agent_id: 'a' }],
    ] as const) {
      const refused = await post(`${under.url}${path}`, body, { origin: page, ...token });
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'browser_request_refused' }]);
      expectReadable(refused);
    }
    expect((await post(`${under.url}/register`, { agent_id: 'a' }, token)).status).toBe(201);
    // The registry's own pages, such as /docs, are unaffected.
    expect((await post(`${under.url}/register`, { agent_id: 'a' }, { origin: under.url, ...token })).status).toBe(201);
  });

  it("an organisation's and an agent's keys, which pages may send", async () => {
    const response = await fetch(`${under.url}/org/whoami`, { headers: { origin: page, 'x-api-key': orgKey } });
    expect(response.status).toBe(200);
    expectReadable(response);
  });
});
