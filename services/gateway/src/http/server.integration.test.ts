import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorBody, limits } from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgeLimits } from '../limits.ts';
import { type GatewayUnderTest, post, startGatewayUnderTest } from '../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest({
    ALLOWED_HOSTS: 'registry.inside,other.inside:81',
    MCP_ALLOWED_HOSTS: 'mcp.inside',
  });
});
afterAll(() => under.stop());

/** The answer to bytes that no HTTP client would send. */
const raw = (bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(under.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.end(bytes);
  });

const expectError = async (response: Response, status: number, code: string): Promise<Record<string, unknown>> => {
  const body = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, code: body['code'] }).toEqual({ status, code });
  errorBody.parse(body);
  expect(Array.isArray(body['detail'])).toBe(status === 422);
  expect(body['request_id']).toBe(response.headers.get('x-request-id'));
  return body;
};

describe('bodies', () => {
  const verify = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${under.url}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });

  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['application/json;charset="UTF-8"'],
    ['APPLICATION/JSON'],
    ['application/ld+json'],
    ['application/vnd.x.y+json; charset=utf-8'],
  ])('accepts %s', async (contentType) => {
    const response = await verify('{"agent_id":"receiver"}', { 'content-type': contentType });
    expect(response.status).toBe(200);
  });

  it.each([
    ['text/plain'],
    ['application/json; charset=utf-16'],
    ['application/xml'],
    ['application/jsonx'],
    ['x'],
    ['multipart/form-data; boundary=x'],
  ])('refuses %s', async (contentType) => {
    await expectError(
      await verify('{"agent_id":"receiver"}', { 'content-type': contentType }),
      415,
      'unsupported_media_type',
    );
  });

  it('refuses a compressed body', async () => {
    await expectError(await verify('{}', { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type');
  });

  it.each([
    ['empty', ''],
    ['not JSON', '{"agent_id":'],
    ['a byte order mark', '\ufeff{"agent_id":"receiver"}'],
    ['two values', '{} {}'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['open brackets without end', '['.repeat(limits.bodyNestingMax)],
  ])('refuses %s as malformed', async (_what, body) => {
    await expectError(await verify(body), 422, 'malformed_json');
  });

  it.each([
    ['null', 'null'],
    ['an array', '[]'],
    ['open brackets beyond the deepest', '['.repeat(900_000)],
    ['deep nesting', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['deep nesting in a field', `{"agent_id":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['no agent_id', '{}'],
    ['an empty agent_id', '{"agent_id":""}'],
    ['a control character', '{"agent_id":"a\\u0007"}'],
    ['a lone surrogate', '{"agent_id":"\\ud800"}'],
    ['129 code points', JSON.stringify({ agent_id: '𝒳'.repeat(129) })],
    ['a number', '{"agent_id":1}'],
  ])('refuses %s as invalid', async (_what, body) => {
    const { detail } = await expectError(await verify(body), 422, 'validation_failed');
    expect(detail).toMatchObject([
      { loc: expect.arrayContaining(['body']) as unknown, msg: expect.any(String) as unknown },
    ]);
  });

  it('accepts 128 code points, and __proto__ like any unknown field', async () => {
    const response = await verify(
      `{"agent_id":${JSON.stringify('𝒳'.repeat(128))},"__proto__":{"x":1},"constructor":{"prototype":1}}`,
    );
    await expectError(response, 404, 'agent_not_found');
  });

  it('refuses a missing body, and a body without a type', async () => {
    await expectError(await fetch(`${under.url}/verify`, { method: 'POST' }), 422, 'validation_failed');
    const response = await raw(
      'POST /verify HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(response).toMatch(/^HTTP\/1.1 415 /);
  });

  // The client is still sending when the answer is known. An immediate close would reset the connection, and many clients would lose the answer; so
  // every one of these uploads must be answered, ten in a row each.
  it.each([
    ['2 MiB', 2 * 1024 * 1024],
    ['20 MiB', 20 * 1024 * 1024],
  ])('returns 413 for %s, even while the client is still sending', async (_size, bytes) => {
    for (let round = 0; round < 10; round += 1) {
      await expectError(await verify(Buffer.alloc(bytes, 0x20)), 413, 'payload_too_large');
    }
    const chunked = new ReadableStream({
      start: (controller) => {
        for (let sent = 0; sent < bytes; sent += 65_536) controller.enqueue(Buffer.alloc(65_536, 0x20));
        controller.close();
      },
    });
    const response = await fetch(`${under.url}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: chunked,
      duplex: 'half',
    } as RequestInit);
    await expectError(response, 413, 'payload_too_large');
  });

  const ofLength = (length: number): string =>
    `POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const tooMany = `{"agent_id":[${'0,'.repeat(limits.bodyMembersMax)}`;
  const tooManyMembers = /^HTTP\/1\.1 422 [\s\S]*"loc":\["body","agent_id"\]/u;

  it('refuses a body at the member that is one too many, whether the rest comes or not', async () => {
    const socket = connect(Number(new URL(under.url).port), '127.0.0.1');
    socket.write(ofLength(limits.bodyBytesMax) + tooMany);
    expect(String((await once(socket, 'data'))[0])).toMatch(tooManyMembers);
    // Whoever sends the rest gets the answer to the next request, too.
    socket.write('x'.repeat(limits.bodyBytesMax - tooMany.length) + ofLength(2) + '{}');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 422 [\s\S]*"validation_failed"/u);
    socket.destroy();
  });

  it('is sent to its end by clients that read their answer afterwards, and by those that do not wait', async () => {
    const body = `${tooMany}0]}`.padEnd(limits.bodyBytesMax);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 3; round += 1) {
      const { detail } = await expectError(await verify(body), 422, 'validation_failed');
      expect(detail).toMatchObject([{ loc: ['body', 'agent_id'] }]);
      const sent = httpRequest(`${under.url}/verify`, {
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
      await new Promise<void>((resolve) => sent.end(body, resolve));
      const [response] = await answered;
      expect([response.statusCode, JSON.parse(await text(response))]).toMatchObject([
        422,
        { code: 'validation_failed' },
      ]);
    }
    agent.destroy();
  });

  it('keeps only so many connections whose clients do not send the rest', async () => {
    const sockets: Socket[] = [];
    for (let index = 0; index <= edgeLimits.rests.bodiesMax; index += 1) {
      const socket = connect(Number(new URL(under.url).port), '127.0.0.1');
      socket.on('error', () => undefined).write(`${ofLength(limits.bodyBytesMax + 1)}{`);
      sockets.push(socket);
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 413 /u);
    }
    await waitFor(() => sockets.some(({ closed }) => closed), { description: 'the end of a connection' });
    expect(sockets.map(({ closed }) => closed)).toEqual(sockets.map((_, index) => index === 0));
    for (const socket of sockets) socket.destroy();
  });

  it('limits what an error repeats', async () => {
    const schema: Record<string, string> = { [`k${'x'.repeat(900_000)}`]: 'y' };
    const long = await post(`${under.url}/register`, { agent_id: 'a', payload_schema: schema });
    expect((await long.text()).length).toBeLessThan(2_000);
    const many = await post(`${under.url}/register`, { agent_id: 'a', capabilities: Array(100).fill(1) });
    const { detail } = (await many.json()) as { detail: unknown[] };
    expect(detail).toHaveLength(50);
  });

  it('reports the location of a fault', async () => {
    const body = { agent_id: 'a', capabilities: ['ok', { name: 5 }], settlement_rail: ['x', 1] };
    const { detail } = await expectError(await post(`${under.url}/register`, body), 422, 'validation_failed');
    expect(detail).toHaveLength(2);
    expect(detail).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ loc: ['body', 'capabilities', 1, 'name'], type: 'invalid_type' }),
        expect.objectContaining({ loc: ['body', 'settlement_rail', 1] }),
      ]),
    );
  });
});

describe('request ids', () => {
  it('accepts one of 1 to 128 printable characters, and passes it on to the services', async () => {
    const id = `~ ${'i'.repeat(126)}`;
    const response = await post(`${under.url}/verify`, { agent_id: 'receiver' }, { 'x-request-id': id });
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(under.bus.asked.at(-1)?.correlationId).toBe(id);
  });

  it.each([['x'.repeat(129)], ['caf\u00e9']])('replaces %s', async (id) => {
    const response = await fetch(`${under.url}/nowhere`, { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('paths', () => {
  it('distinguishes an unknown path from an unknown method', async () => {
    await expectError(await fetch(`${under.url}/nowhere`), 404, 'route_not_found');
    await expectError(await fetch(`${under.url}/verify/`, { method: 'POST', body: 'x' }), 404, 'route_not_found');
    const response = await fetch(`${under.url}/rotate`, { method: 'DELETE', body: '{broken' });
    await expectError(response, 405, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('POST, GET');
    const agent = await fetch(`${under.url}/agent/a%2Fb`, { method: 'PUT' });
    await expectError(agent, 405, 'method_not_allowed');
    expect(agent.headers.get('allow')).toBe('GET, HEAD');
    expect((await fetch(`${under.url}/update`, { method: 'OPTIONS' })).status).toBe(405);
    expect((await fetch(`${under.url}/verify`, { method: 'HEAD' })).status).toBe(405);
  });

  it.each([['/agent/%ff'], ['/agent/%'], ['/agent/%zz'], ['/agent/%c3%28']])(
    'refuses %s, which cannot be decoded',
    async (path) => {
      const response = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(response).toMatch(/^HTTP\/1.1 422 /);
      expect(response).toContain('"code":"validation_failed"');
      expect(response.toLowerCase()).toContain('x-request-id');
    },
  );

  it('refuses invalid ids in paths', async () => {
    await expectError(await fetch(`${under.url}/agent/${'x'.repeat(129)}`), 422, 'validation_failed');
    await expectError(await fetch(`${under.url}/agent/%00`), 422, 'validation_failed');
  });

  it('refuses repeated query parameters', async () => {
    await expectError(await fetch(`${under.url}/registry?limit=1&limit=2`), 422, 'validation_failed');
    await expectError(await fetch(`${under.url}/rotate?token=a&token=b`), 422, 'validation_failed');
  });
});

describe('Host', () => {
  const ask = async (host: string, path = '/nothing', method = 'GET'): Promise<(string | undefined)[]> => {
    const answer = await raw(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return [answer.slice(9, 12), /"code":"(\w+)"/u.exec(answer)?.[1]];
  };

  it.each(['localhost', '127.0.0.1:9', '[::1]', 'Registry.inside:8080', 'other.inside:81', 'mcp.inside'])(
    '%s is the registry',
    async (host) => expect(await ask(host)).toEqual(['404', 'route_not_found']),
  );

  it.each([
    'page.example',
    'page.example:8080',
    'other.inside:82',
    'registry.inside.page.example',
    'localhost@page.example',
    '',
  ])('"%s" is not', async (host) => {
    for (const path of ['/registry', '/agent/receiver', '/docs', '/nothing'])
      expect(await ask(host, path)).toEqual(['421', 'unknown_host']);
    expect(await ask(host, '/ops/policies', 'POST')).toEqual(['421', 'unknown_host']);
  });

  it('is any for /health, and is refused by MCP in its own form', async () => {
    expect((await ask('page.example', '/health'))[0]).not.toBe('421');
    expect((await ask('page.example', '/mcp-http/mcp', 'POST'))[0]).toBe('403');
  });
});

describe('broken HTTP', () => {
  it.each([
    ['not HTTP at all', 'hello\r\n\r\n', 400, 'malformed_request'],
    [
      'headers without measure',
      `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      'POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
      'malformed_request',
    ],
    [
      'a length and chunks',
      'POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('handles %s', async (_what, bytes, status, code) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = errorBody.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
    expect(body.code).toBe(code);
  });

  it('survives a client that disconnects in the middle of its body', async () => {
    await raw(
      'POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a"',
    );
    expect((await post(`${under.url}/verify`, { agent_id: 'receiver' })).status).toBe(200);
  });
});
