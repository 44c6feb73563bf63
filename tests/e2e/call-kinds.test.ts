import { startA2aAgent } from '@agent-trust/dev-stack/demo-agents';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  type Body,
  call,
  createOrg,
  faultLocations,
  hideHost,
  join,
  type Member,
  type Org,
  verify,
} from '../support/ask.ts';
import { type RecordingAgent, type Respond, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage } from '../support/registry.ts';

let org: Org;
let caller: Member;
let agent: RecordingAgent;
let respond: Respond;
beforeAll(async () => {
  org = await createOrg();
  caller = await join(org.key);
  agent = await startRecordingAgent((...all) => respond(...all));
  return () => agent.stop();
});

const target = async (fields: Body = {}, answer: Respond = respondJson(200, { ok: true })): Promise<string> => {
  respond = answer;
  return (await join({}, { endpoint_url: agent.url, ...fields })).agentId;
};
const parts = (...list: Body[]): Body => ({
  jsonrpc: '2.0',
  method: 'message/send',
  params: { message: { role: 'user', parts: list } },
});
const text = (content: string): Body => ({ kind: 'text', content_type: 'text/plain', content });
const data = (content: unknown): Body => ({ kind: 'data', content_type: 'application/json', content });
const file = (content: string): Body => ({ kind: 'file', content_type: 'image/png', content });

describe('the call response', () => {
  it('has every field, names the transaction, and hides the endpoint', async () => {
    const agentId = await target({}, respondJson(200, { price: 5 }, { 'x-powered-by': 'me', etag: '"1"' }));
    const answer = await call(caller, agentId, textMessage('hello'));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      agent_id: agentId,
      transaction_id: expect.stringMatching(/^.{8,}$/u) as string,
      status_code: 200,
      body: { price: 5 },
      response_headers: expect.objectContaining({ 'content-type': 'application/json', etag: '"1"' }) as Body,
      review_reminder: expect.stringContaining('POST /review') as string,
      fallback_suggestion: null,
      mcp_session_id: null,
      next_step: null,
    });
    expect(answer.body['response_headers']).not.toHaveProperty('x-powered-by');
    expect((await verify(agentId)).body['transaction_count']).toBe(1);
  });

  it.each([
    ['a JSON array', 'application/json', '[1,2]', [1, 2]],
    ['a JSON number', 'application/json', '7', '7'],
    ['a JSON text', 'application/json', '"seven"', 'seven'],
    ['a broken JSON body of type JSON', 'application/json', '{broken', '{broken'],
    ['problem+json', 'application/problem+json', '{"title":"x"}', { title: 'x' }],
    ['plain text', 'text/plain; charset=utf-8', 'é😀', 'é😀'],
    ['nothing', 'text/plain', '', ''],
    ['bytes', 'image/png', '\u0089PNG', Buffer.from('\u0089PNG').toString('base64')],
  ])('%s comes back in the documented form', async (_what, type, sent, expected) => {
    const agentId = await target(
      {},
      (_request, response) => void response.writeHead(200, { 'content-type': type }).end(sent),
    );
    const { body } = await call(caller, agentId, textMessage('x'));
    expect(body['body']).toEqual(expected);
    expect((body['response_headers'] as Body)['content-type']).toBe(type);
  });

  it('numbers beyond 2^53 keep their digits in both directions', async () => {
    const agentId = await target(
      { message_protocol: 'raw' },
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"n":9007199254740993,"f":1.0}'),
    );
    const body = `{"caller_agent_id":${JSON.stringify(caller.agentId)},"agent_id":${JSON.stringify(agentId)},"message":{"n": 9007199254740993, "f": 1.0}}`;
    const answer = await ask('POST', '/call', { body, headers: caller.auth });
    expect(agent.last().body).toBe('{"n": 9007199254740993, "f": 1.0}');
    expect(answer.text).toContain('{"n":9007199254740993,"f":1.0}');
  });

  it.each([400, 404, 500, 503])(
    'status %i of the agent becomes status_code of a 200, and the exchange counts',
    async (status) => {
      const agentId = await target({}, respondJson(status, { no: true }));
      const answer = await call(caller, agentId, textMessage('x'));
      expect([answer.status, answer.body['status_code']]).toEqual([200, status]);
      expect((await verify(agentId)).body['transaction_count']).toBe(1);
    },
  );

  it('401 and 403 of the agent come with a hint where its credentials are described', async () => {
    for (const status of [401, 403]) {
      const { body } = await call(caller, await target({}, respondJson(status, {})), textMessage('x'));
      expect(body['next_step']).toContain('signup_help');
    }
  });

  it('a payment demand shows the pay address in place of the endpoint', async () => {
    const demand = { x402Version: 1, accepts: [{ resource: agent.url, payTo: '0x1' }], note: `pay at ${agent.url}` };
    const header = Buffer.from(JSON.stringify({ resource: { url: agent.url } })).toString('base64');
    const agentId = await target(
      { settlement_rail: 'x402' },
      respondJson(402, demand, { 'payment-required': header, location: agent.url }),
    );
    const { body } = await call(caller, agentId, textMessage('x'));
    const payVia = String(body['pay_via']);
    expect(payVia).toMatch(new RegExp(`/pay/${agentId}\\?call_ref=${String(body['transaction_id'])}$`, 'u'));
    const seen = body['body'] as { accepts: { resource: string }[] };
    expect(seen.accepts[0]?.resource).toMatch(new RegExp(`/pay/${agentId}$`, 'u'));
    const shown = String((body['response_headers'] as Body)['payment-required']);
    expect(Buffer.from(shown, 'base64').toString()).not.toContain(agent.url);
    expect(body['next_step']).toContain('X-Payment');
  });

  it.each<[string, (url: string) => string, string]>([
    [
      'that is nested too deep to be rewritten',
      (url) => `${'['.repeat(50_000)}"${url}"${']'.repeat(50_000)}`,
      'application/json',
    ],
    [
      'with the address in JSON escapes',
      (url) => JSON.stringify({ at: url }).replaceAll('1', '\\u0031'),
      'application/json',
    ],
    ['that is not JSON', (url) => `pay at ${url}`, 'text/html'],
    ['with the host in capitals', (url) => JSON.stringify({ at: url.replace('http', 'HTTP') }), 'application/json'],
  ])('a payment demand %s hides the endpoint too', async (_what, demand, type) => {
    const agentId = await target(
      {},
      (_request, response) => void response.writeHead(402, { 'content-type': type }).end(demand(agent.url)),
    );
    const { status, body, text } = await call(caller, agentId, textMessage('x'));
    expect([status, body['status_code']]).toEqual([200, 402]);
    expect(text.toLowerCase()).not.toContain(new URL(agent.url).host);
    expect(JSON.stringify(body['body'])).not.toContain(new URL(agent.url).port);
  });

  it('after a 5xx, another agent with the main capability is suggested', async () => {
    const capability = `cap_${process.pid}_${Date.now()}`;
    const other = await target({ capabilities: [capability] });
    const failing = await target({ capabilities: [capability] }, respondJson(500, {}));
    expect((await call(caller, failing, textMessage('x'))).body['fallback_suggestion']).toBe(other);
  });

  it('a redirect of the agent is passed on without its Location, and not followed', async () => {
    const agentId = await target(
      {},
      (_request, response) => void response.writeHead(302, { location: agent.url }).end(),
    );
    const before = agent.requests();
    const { body } = await call(caller, agentId, textMessage('x'));
    expect(body['status_code']).toBe(302);
    expect(body['response_headers']).not.toHaveProperty('location');
    expect(agent.requests()).toBe(before + 1);
  });
});

describe("parts as A2A's SDKs send them", () => {
  it('are taken for their content', async () => {
    const bodies: string[] = [];
    const agentId = await target({}, (request, response, raw) => {
      bodies.push(request.body);
      return respondJson(200, {})(request, response, raw);
    });
    await call(caller, agentId, parts({ kind: 'text', text: 'hello' }));
    await call(caller, agentId, parts({ kind: 'data', data: { sku: 7 } }));
    await call(caller, agentId, parts({ kind: 'text', text: 'one' }, text('two')));
    expect(bodies.slice(0, 2)).toEqual(['hello', '{"sku":7}']);
    expect(JSON.parse(bodies[2] ?? '')).toEqual(parts({ ...text('one'), text: 'one' }, text('two')));
  });
});

describe('a plain target', () => {
  it('gets a single data part as a JSON body', async () => {
    const agentId = await target();
    await call(caller, agentId, parts(data({ a: 1 })));
    expect([agent.last().method, agent.last().headers['content-type'], agent.last().body]).toEqual([
      'POST',
      'application/json',
      '{"a":1}',
    ]);
    await call(caller, agentId, parts(data('{"a": 1.0}')));
    expect(agent.last().body).toBe('{"a": 1.0}');
  });

  it('gets a single text part as text/plain, several parts as the envelope', async () => {
    const agentId = await target();
    await call(caller, agentId, parts(text('héllo')));
    expect([agent.last().headers['content-type'], agent.last().body]).toEqual(['text/plain; charset=utf-8', 'héllo']);
    const both = parts(text('a'), data({ b: 1 }));
    await call(caller, agentId, both);
    expect(JSON.parse(agent.last().body)).toEqual(both);
  });

  it("GET puts a data part into the query, after the endpoint's own parameters", async () => {
    const agentId = await target({ endpoint_url: `${agent.url}?keep=1` });
    await call(caller, agentId, parts(data({ q: 'a&b', n: 5, o: { x: [1] }, keep: 'é' })), { method: 'GET' });
    const { method, url, body } = agent.last();
    expect([method, body]).toEqual(['GET', '']);
    expect([...url.searchParams]).toEqual([
      ['keep', '1'],
      ['q', 'a&b'],
      ['n', '5'],
      ['o', '{"x":[1]}'],
      ['keep', 'é'],
    ]);
  });

  it("the method is the caller's, else the first of http_methods, else POST", async () => {
    const getter = await target({ http_methods: ['GET', 'POST'] });
    for (const [agentId, method, expected] of [
      [getter, undefined, 'GET'],
      [getter, null, 'GET'],
      [getter, 'POST', 'POST'],
      [await target(), undefined, 'POST'],
      [await target(), 'GET', 'GET'],
    ] as const) {
      await call(caller, agentId, parts(data({ a: 1 })), method === undefined ? {} : { method });
      expect(agent.last().method).toBe(expected);
    }
  });
});

describe('an A2A-compliant target', () => {
  it('gets a superset of the envelope: messageId, kind and the member of each part, and always POST', async () => {
    const agentId = await target({ a2a_compliant: true, http_methods: ['GET'] });
    await call(caller, agentId, parts(text('t'), data({ d: 1 }), file('aGk='), file('https://files.example/a.png')), {
      method: 'GET',
    });
    expect(agent.last().method).toBe('POST');
    const sent = JSON.parse(agent.last().body) as {
      id: unknown;
      params: { message: { messageId: unknown; kind: unknown; parts: Body[] } };
    };
    expect(sent).toMatchObject({ jsonrpc: '2.0', method: 'message/send' });
    expect(sent.id).toBeTruthy();
    expect(sent.params.message).toMatchObject({
      kind: 'message',
      role: 'user',
      messageId: expect.any(String) as string,
    });
    expect(sent.params.message.parts).toMatchObject([
      { kind: 'text', content_type: 'text/plain', content: 't', text: 't' },
      { kind: 'data', content: { d: 1 }, data: { d: 1 } },
      { kind: 'file', content: 'aGk=', file: { bytes: 'aGk=', mimeType: 'image/png' } },
      { kind: 'file', file: { uri: 'https://files.example/a.png' } },
    ]);
  });

  it.each([
    ['of the public SDK for 0.3 and 1.0', false],
    ['of the public SDK for 1.0 only', true],
  ])('a server %s answers in one exchange', async (_what, versionOneOnly) => {
    const sdk = await startA2aAgent('quoter', (received) => `got ${received.length} parts`, { versionOneOnly });
    hideHost(sdk.url);
    const { agentId } = await join({}, { endpoint_url: sdk.url, a2a_compliant: true });
    const first = await call(caller, agentId, parts(text('a'), data({ b: 1 })));
    expect(JSON.stringify(first.body['body'])).toContain('got 2 parts');
    expect(JSON.stringify((await call(caller, agentId, parts(text('a')))).body['body'])).toContain('got 1 parts');
    expect((await verify(agentId)).body['transaction_count']).toBe(2);
    await sdk.stop();
  });
});

describe('an mcp target', () => {
  it('gets any JSON-RPC message unchanged by POST, with the session in both directions', async () => {
    const agentId = await target(
      { message_protocol: 'mcp', http_methods: ['GET'] },
      respondJson(200, { jsonrpc: '2.0', id: 1, result: {} }, { 'mcp-session-id': 's-2' }),
    );
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { z: [1] } };
    const answer = await call(caller, agentId, message, { method: 'GET' }, { 'mcp-session-id': 's-1' });
    const { method, headers, body } = agent.last();
    expect([method, body, headers['mcp-session-id'], headers.accept]).toEqual([
      'POST',
      JSON.stringify(message),
      's-1',
      'application/json, text/event-stream',
    ]);
    expect(answer.body).toMatchObject({ mcp_session_id: 's-2', body: { jsonrpc: '2.0', id: 1, result: {} } });
  });

  it('an initialize records no exchange', async () => {
    const agentId = await target({ message_protocol: 'mcp' }, respondJson(200, { jsonrpc: '2.0', id: 1, result: {} }));
    const answer = await call(caller, agentId, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    expect(answer.body).toMatchObject({ status_code: 200, transaction_id: '', review_reminder: null });
    expect((await verify(agentId)).body['transaction_count']).toBe(0);
  });

  it('an answer as a stream of events becomes its JSON-RPC response', async () => {
    const agentId = await target(
      { message_protocol: 'mcp' },
      (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(
            'event: message\ndata: {"jsonrpc":"2.0","method":"note"}\n\ndata: {"jsonrpc":"2.0","id":1,"result":{"ok":1}}\n\n',
          ),
    );
    const { body } = await call(caller, agentId, { jsonrpc: '2.0', id: 1, method: 'tools/call' });
    expect(body['body']).toEqual({ jsonrpc: '2.0', id: 1, result: { ok: 1 } });
  });

  it('a message that is not JSON-RPC is 422', async () => {
    const answer = await call(caller, await target({ message_protocol: 'mcp' }), { hello: 1 });
    expect([answer.status, answer.body['code'], faultLocations(answer)]).toEqual([
      422,
      'invalid_message',
      ['body.message.jsonrpc'],
    ]);
  });
});

it('a raw target gets any object unchanged by POST', async () => {
  const agentId = await target({ message_protocol: 'raw', http_methods: ['GET'] });
  await call(caller, agentId, { any: ['thing', null], __proto: 1 }, { method: 'GET' });
  expect([agent.last().method, agent.last().body]).toEqual(['POST', '{"any":["thing",null],"__proto":1}']);
});

describe('the envelope of an a2a target', () => {
  const envelope = parts(text('x'));
  const withMessage = (message: Body): Body => ({ ...envelope, params: { message } });
  it.each([
    [{}, 'jsonrpc'],
    [{ ...envelope, jsonrpc: '1.0' }, 'jsonrpc'],
    [{ ...envelope, method: 'tools/list' }, 'method'],
    [{ ...envelope, params: {} }, 'params.message'],
    [withMessage({ role: 'agent', parts: [text('x')] }), 'params.message.role'],
    [withMessage({ role: 'user', parts: [] }), 'params.message.parts'],
    [parts(text('x'), { kind: 'audio', content_type: 'a/b', content: '' }), 'params.message.parts.1.kind'],
    [parts({ kind: 'text', content_type: 'text/html', content: 'x' }), 'params.message.parts.0.content_type'],
    [parts({ kind: 'text', content_type: 'text/plain', content: {} }), 'params.message.parts.0.content'],
    [parts(data('[1]')), 'params.message.parts.0.content'],
    [parts(data('{broken')), 'params.message.parts.0.content'],
    [parts(data([1])), 'params.message.parts.0.content'],
    [parts({ kind: 'file', content_type: 'image/png', content: 5 }), 'params.message.parts.0.content'],
    [parts({ kind: 'file', content: 'x' }), 'params.message.parts.0.content_type'],
  ])('%j is 422 at %s, for compliant and plain targets', async (message, place) => {
    const before = agent.requests();
    for (const a2a_compliant of [false, true]) {
      const answer = await call(caller, await target({ a2a_compliant }), message);
      expect([answer.status, answer.body['code']]).toEqual([422, 'invalid_message']);
      expect(faultLocations(answer)).toContain(`body.message.${place}`);
    }
    expect(agent.requests()).toBe(before);
  });

  it('unknown fields pass through', async () => {
    const message = { ...parts({ ...text('x'), metadata: { m: 1 } }, text('y')), extra: true };
    await call(caller, await target(), message);
    expect(JSON.parse(agent.last().body)).toEqual(message);
  });
});

describe('forwarded headers', () => {
  it('are passed on, except headers of the hop, of payments and sessions, and any registry key', async () => {
    const agentId = await target();
    await call(
      caller,
      agentId,
      textMessage('x'),
      {
        forwarded_headers: {
          'X-Custom': 'yes',
          Authorization: 'Bearer for-the-agent',
          'X-Leak': `key ${String(caller.auth['authorization'])}`,
          'X-Org-Leak': String(org.key['x-api-key']),
          Connection: 'x-named',
          'X-Named': 'hop',
          Host: 'evil.example',
          'Content-Type': 'text/evil',
          'Content-Length': '3',
          'Transfer-Encoding': 'chunked',
          'X-Payment': 'p',
          'Payment-Signature': 'p',
          'Mcp-Session-Id': 's',
          Cookie: 'c=1',
          Signature: 's',
          'Signature-Input': 's',
          'Proxy-Authorization': 'p',
          Upgrade: 'websocket',
        },
      },
      { cookie: 'mine=1', 'x-unknown': 'not forwarded' },
    );
    const { headers, body } = agent.last();
    expect(headers).toMatchObject({
      'x-custom': 'yes',
      authorization: 'Bearer for-the-agent',
      'content-type': 'text/plain; charset=utf-8',
    });
    for (const dropped of [
      'x-leak',
      'x-org-leak',
      'x-named',
      'x-payment',
      'payment-signature',
      'mcp-session-id',
      'cookie',
      'signature',
      'signature-input',
      'proxy-authorization',
      'upgrade',
      'x-unknown',
    ])
      expect(headers).not.toHaveProperty(dropped);
    expect(headers.host).toBe(new URL(agent.url).host);
    expect(body).toBe('x');
  });

  it("the caller's key is never passed on, but an X-Payment sent to /call is", async () => {
    await call(caller, await target(), textMessage('x'), {}, { 'x-payment': 'cGF5', 'payment-signature': 'c2ln' });
    expect(agent.last().headers).toMatchObject({ 'x-payment': 'cGF5', 'payment-signature': 'c2ln' });
    expect(JSON.stringify(agent.last().headers)).not.toContain('registry-agent-sk-');
  });

  it.each([{ 'bad name': 'x' }, { 'X-A': 'line\r\nbreak' }, { 'X-A': '€' }, { 'X-A': 5 }, { '': 'x' }, [], 'x'])(
    'forward_headers %j is 422',
    async (forwarded_headers) => {
      const answer = await call(caller, await target(), textMessage('x'), { forwarded_headers });
      expect(answer.status).toBe(422);
      expect(faultLocations(answer)[0]).toMatch(/^body\.forwarded_headers/u);
    },
  );
});

describe('refusals, in the order of checks', () => {
  const body = (more: Body = {}): Body => ({
    caller_agent_id: caller.agentId,
    agent_id: 'nobody at all',
    message: textMessage('x'),
    ...more,
  });
  const code = async (sent: unknown, headers: Record<string, string>) => {
    const answer = await ask('POST', '/call', { body: sent, headers });
    return [answer.status, answer.body['code']];
  };

  it('422 precedes 401, 401 precedes 404, 404 precedes 403, 403 precedes no_endpoint', async () => {
    expect(await code(body({ message: 5 }), {})).toEqual([422, 'validation_failed']);
    expect(await code(body(), {})).toEqual([401, 'credential_required']);
    expect(await code(body(), { authorization: 'Bearer x' })).toEqual([401, 'invalid_credential']);
    expect(await code(body(), org.key)).toEqual([401, 'credential_required']);
    expect(await code(body({ caller_agent_id: 'other' }), caller.auth)).toEqual([404, 'agent_not_found']);
    const mute = (await join()).agentId;
    expect(await code(body({ agent_id: mute, caller_agent_id: 'other' }), caller.auth)).toEqual([
      403,
      'caller_mismatch',
    ]);
    expect(await code(body({ agent_id: mute }), caller.auth)).toEqual([422, 'no_endpoint']);
  });

  it('a target without endpoint is reported at agent_id', async () => {
    const mute = (await join()).agentId;
    const answer = await call(caller, mute, textMessage('x'));
    expect(answer.body['detail']).toEqual([
      { loc: ['body', 'agent_id'], type: 'no_endpoint', msg: expect.any(String) as string },
    ]);
  });

  it.each([
    [{ caller_agent_id: undefined }, 'body.caller_agent_id'],
    [{ agent_id: 'a'.repeat(129) }, 'body.agent_id'],
    [{ message: undefined }, 'body.message'],
    [{ message: [] }, 'body.message'],
    [{ message: null }, 'body.message'],
    [{ method: 'PUT' }, 'body.method'],
    [{ method: 'get' }, 'body.method'],
  ])('fields %j are 422', async (fields, place) => {
    const answer = await ask('POST', '/call', { body: body(fields), headers: caller.auth });
    expect([answer.status, faultLocations(answer)]).toEqual([422, [place]]);
  });

  it('an invalid signature beside a valid key is refused', async () => {
    expect(await code(body(), { ...caller.auth, signature: 'sig1=:AA==:' })).toEqual([401, 'invalid_credential']);
  });
});

describe('an agent that does not answer', () => {
  it.each<[string, Respond]>([
    ['breaks the connection', (_request, response) => void response.destroy()],
    [
      'breaks off halfway',
      (_request, response) =>
        void (response.writeHead(200, { 'content-length': '100' }), response.write('half', () => response.destroy())),
    ],
    ['sends nothing', () => undefined],
    [
      'answers more than 10 MiB',
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(10 * 1024 * 1024 + 1, 65)),
    ],
  ])('an agent that %s is 502, and still an exchange', async (_what, behaviour) => {
    const agentId = await target({}, behaviour);
    const answer = await call(caller, agentId, textMessage('x'));
    expect([answer.status, answer.body['code']]).toEqual([502, 'downstream_failed']);
    expect(answer.body['transaction_id']).toEqual(expect.any(String));
    expect(answer.body['review_reminder']).toContain(String(answer.body['transaction_id']));
    expect((await verify(agentId)).body['transaction_count']).toBe(0);
  });

  it.each([
    'http://10.1.2.3/',
    'http://169.254.169.254/latest',
    'http://[fd00::1]/',
    'http://0.0.0.0:1/',
    'http://nowhere.invalid/',
    'http://127.0.0.1:1/',
  ])('%s is 502, and the answer does not show it', async (endpoint_url) => {
    const { agentId } = await join({}, { endpoint_url });
    const answer = await call(caller, agentId, textMessage('x'));
    expect(answer.status).toBe(502);
    expect(answer.text).not.toContain(new URL(endpoint_url).hostname);
  });
});
