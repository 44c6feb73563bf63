/**
 * Bug: an answer that is given before the framework differs from the one that the framework would give, or is given where the framework refuses.
 * Method: the same bytes are sent to a gateway that may answer before the framework, and again while it may not.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeOf } from '../../http/public-document.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

const agentId = 'held-agent';
const verdict = JSON.stringify({ agent_id: agentId, specialty: 'ü' });
const profile = madeOf({ agent_id: agentId, ratings: [] });
const held = new Map<string, unknown>([
  [`verdict:${agentId}`, verdict],
  [`profile:${agentId}`, profile],
  ['profile:a/b', profile],
]);

let gateway: GatewayUnderTest;
let mayAnswer = true;
/** Questions of the routes: those of the framework. */
let reads = 0;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ ALLOWED_HOSTS: 'registry.test' });
  const replica = {
    ...gateway.gateway.replica,
    held: (key: string) => (mayAnswer ? held.get(key) : undefined),
    read: (key: string) => {
      reads += 1;
      return Promise.resolve(held.get(key) ?? null);
    },
  };
  Object.assign(gateway.gateway, { replica });
});
afterAll(() => gateway.stop());

/** Sends the parts one after the other, and returns all that comes back until the server ends the connection. */
const exchange = async (parts: readonly (string | Buffer)[]): Promise<string> => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let answer = '';
  const ended = new Promise<void>((resolve) => {
    socket.setEncoding('utf8').on('data', (text: string) => void (answer += text));
    socket.on('close', () => resolve());
  });
  for (const part of parts) {
    socket.write(part);
    // The gateway has read it when it has answered another request.
    if (part !== parts.at(-1)) await (await fetch(`${gateway.url}/nothing`)).text();
  }
  await ended;
  return answer.replaceAll(/^date: .*$/gimu, 'date').replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, 'uuid');
};

/** The lines of the head in one order, then the rest. */
const comparable = (answer: string): string[][] =>
  answer.split(/(?=HTTP\/1\.1 )/u).map((one) => {
    const [head = '', body = ''] = one.split('\r\n\r\n');
    return [...head.split('\r\n').toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)), body];
  });

const body = JSON.stringify({ agent_id: agentId });
const close = 'Connection: close\r\n';
const get = (path: string, headers = close, method = 'GET'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: registry.test\r\n${headers}\r\n`;
const post = (
  content: string | Buffer = body,
  headers = '',
  { path = '/verify', type = 'application/json', version = '1.1', ending = close } = {},
): (string | Buffer)[] => [
  Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/${version}\r\nHost: registry.test\r\nContent-Type: ${type}\r\n` +
        `Content-Length: ${Buffer.byteLength(content)}\r\n${headers}${ending}\r\n`,
    ),
    Buffer.from(content),
  ]),
];

const both = async (parts: readonly (string | Buffer)[]) => {
  mayAnswer = true;
  reads = 0;
  const early = comparable(await exchange(parts));
  const readsEarly = reads;
  mayAnswer = false;
  return { early, late: comparable(await exchange(parts)), readsEarly };
};

describe('an answer from memory, before the framework,', () => {
  it.each<[string, readonly (string | Buffer)[], texts: string[]]>([
    ['to POST /verify', post(), [verdict]],
    ['with a request id', post(body, 'X-Request-Id: mine\r\n'), [verdict]],
    ['with a request id that is not taken', post(body, 'X-Request-Id: ü\r\n'), [verdict]],
    ['with a key that the route does not read', post(body, 'Authorization: Bearer x\r\n'), [verdict]],
    ['to HTTP/1.0', post(body, '', { version: '1.0' }), [verdict]],
    [
      'to requests one behind the other',
      [Buffer.concat([...post(body, '', { ending: '' }), ...post()] as Buffer[])],
      [verdict, verdict],
    ],
    ['to GET /agent/{id}', [get(`/agent/${agentId}`)], [profile.text]],
  ])('%s is what the framework answers', async (_what, parts, texts) => {
    const { early, late, readsEarly } = await both(parts);
    expect(early).toEqual(late);
    expect(early.filter((lines) => lines.at(-1) !== '').map((lines) => lines.at(-1))).toEqual(texts);
    expect(readsEarly).toBe(0);
  });

  it.each<[string, readonly (string | Buffer)[], status: number]>([
    ['an unknown agent, which is not held', post('{"agent_id":"nobody"}'), 404],
    ['another member', post(`{"agent_id":"${agentId}","more":1}`), 200],
    ['a member __proto__', post(`{"agent_id":"${agentId}","__proto__":1}`), 200],
    ['an id that is no text', post('{"agent_id":7}'), 422],
    ['a list', post('[]'), 422],
    ['null', post('null'), 422],
    ['no body', post(''), 422],
    ['no JSON', post('{'), 422],
    ['bytes that are no UTF-8', post(Buffer.from([...Buffer.from(body.slice(0, -2)), 0xff, 0x22, 0x7d])), 422],
    ['a long body', post(`{"agent_id":"${'a'.repeat(2_000)}"}`), 422],
    ['another type', post(body, '', { type: 'text/plain' }), 415],
    ['a type with a charset', post(body, '', { type: 'application/json; charset=utf-8' }), 200],
    ['a body in two parts', [String(post()[0]).slice(0, -5), String(post()[0]).slice(-5)], 200],
    [
      'a body in chunks',
      [
        `POST /verify HTTP/1.1\r\nHost: registry.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${close}\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ],
      200,
    ],
    ['a compressed body', post(body, 'Content-Encoding: gzip\r\n'), 415],
    ['an unknown key of an organisation', post(body, 'X-API-KEY: nobody\r\n'), 401],
    ['a query', post(body, '', { path: '/verify?signed=x' }), 422],
    ['another path', post(body, '', { path: '/verify/' }), 404],
    ['no Host', [String(post()[0]).replace('Host: registry.test\r\n', '')], 400],
    ['another Host', [String(post()[0]).replace('Host: registry.test\r\n', 'Host: page.example\r\n')], 421],
    ['another Host of a profile', [get(`/agent/${agentId}`).replace('registry.test', 'page.example')], 421],
    ['an unknown profile', [get('/agent/nobody')], 404],
    ['a path that names two', [get('/agent/a/b')], 404],
    ['an escaped id', [get(`/agent/${agentId.replace('-', '%2D')}`)], 200],
    ['a query of a profile', [get(`/agent/${agentId}?as_of=x`)], 422],
    ['HEAD', [get(`/agent/${agentId}`, close, 'HEAD')], 200],
    ['a copy that is current', [get(`/agent/${agentId}`, `If-None-Match: ${profile.etag}\r\n${close}`)], 304],
    ['a GET with a body', [`${get(`/agent/${agentId}`, `Content-Length: 2\r\n${close}`)}{}`], 200],
  ])('is not given for %s', async (_what, parts, status) => {
    const { early, late, readsEarly } = await both(parts);
    expect(early).toEqual(late);
    expect(early[0]?.find((line) => line.startsWith('HTTP/'))).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
    // What the framework gets is neither lost nor answered twice.
    expect(readsEarly).toBe(reads - readsEarly);
  });

  it('has its line in the log', async () => {
    mayAnswer = true;
    await exchange(post(body, 'X-Request-Id: in-the-log\r\n'));
    expect(gateway.logged()).toMatch(
      /"method":"POST","route":"\/verify","status":200,"duration_ms":[\d.]+,"request_id":"in-the-log"/u,
    );
  });
});
