/**
 * The bug: somewhere in an answer stands where the agent lives. The method: an agent lives at an address that nothing else has, and tells
 * it wherever an answer has room; what callers receive is searched byte for byte, headers included, as it came and unwrapped in every way.
 */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Body, checkAnswer, createOrg, gateways, join, type Member } from '../support/ask.ts';
import { readingsOf } from '../support/readings.ts';
import { textMessage } from '../support/registry.ts';

const hiddenHost = '127.77.31.9';

let caller: Member;
beforeAll(async () => {
  caller = await join((await createOrg()).key);
});

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const listen = async (server: Server): Promise<string> => {
  server.listen(0, hiddenHost);
  await once(server, 'listening');
  cleanups.push(() => server.close());
  return `http://${hiddenHost}:${(server.address() as AddressInfo).port}/rpc`;
};

type Received = { status: number; headers: Headers; text: string };

/** What a caller receives, checked for where the agent lives. */
const receive = async (url: string, method: string, fields: Body = {}): Promise<Received> => {
  const { agentId } = await join({}, { endpoint_url: url, settlement_rail: 'x402', ...fields });
  const response = await fetch(`${gateways[0]}/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...caller.auth },
    body: JSON.stringify({ caller_agent_id: caller.agentId, agent_id: agentId, message: textMessage('x', method) }),
  });
  const received = { status: response.status, headers: response.headers, text: await response.text() };
  await checkAnswer('POST', '/call', received);
  const all = `${[...received.headers].map((pair) => pair.join(': ')).join('\n')}\n\n${received.text}`;
  // Not in the middle of an id.
  const port = new RegExp(`(?<![\\da-z])${new URL(url).port}(?![\\da-z])`, 'iu');
  const telling = readingsOf(all).filter((reading) => reading.includes(hiddenHost) || port.test(reading));
  expect(telling.map((reading) => reading.slice(0, 2_000))).toEqual([]);
  return received;
};

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** An agent's answers, each of which tells its address `url` in another place. */
const answers: [string, (url: string) => RequestListener][] = [
  [
    'a demand for payment in x402 v1',
    (url) => (_request, response) =>
      response.writeHead(402, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          x402Version: 1,
          error: `pay for ${url}`,
          accepts: [{ resource: url, description: encodeURIComponent(url), extra: { note: base64({ url }) } }],
        }),
      ),
  ],
  [
    'a demand for payment in x402 v2',
    (url) => (_request, response) =>
      response
        .writeHead(402, {
          'payment-required': base64({ x402Version: 2, resource: { url }, accepts: [{ extra: { url } }] }),
        })
        .end('{}'),
  ],
  [
    'a demand for payment that cannot be read',
    (url) => (_request, response) =>
      response
        .writeHead(402, {
          'content-type': 'text/html',
          'payment-required': `see ${url}`,
          'www-authenticate': `L402 at="${url}"`,
        })
        .end(`<a href="${url}">pay</a>`),
  ],
  [
    'a compressed demand for payment',
    (url) => (_request, response) =>
      response
        .writeHead(402, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify({ resource: url }))),
  ],
  [
    'a demand for payment as a stream of events',
    (url) => (_request, response) =>
      response
        .writeHead(402, { 'content-type': 'text/event-stream', link: `<${url}>; rel="payment"` })
        .end(`data: {"resource":"${url}"}\n\n`),
  ],
  ...[301, 302, 303, 307, 308].map((status): [string, (url: string) => RequestListener] => [
    `a redirect ${status}`,
    (url) => express().use((_request, response) => response.redirect(status, url)),
  ]),
  [
    'every header',
    (url) => (_request, response) =>
      response
        .writeHead(200, {
          location: url,
          'content-location': url,
          link: `<${url}>; rel="next"`,
          refresh: `0; url=${url}`,
          via: `1.1 ${new URL(url).host}`,
          server: new URL(url).host,
          'alt-svc': `h2="${new URL(url).host}"`,
          'set-cookie': `at=${url}`,
          'x-served-by': new URL(url).host,
          'access-control-allow-origin': new URL(url).origin,
          'www-authenticate': `Bearer resource_metadata="${url}"`,
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(url).replaceAll('.', '%2E')}`,
          'payment-response': base64({ success: true, resource: url }),
          'x-payment-response': base64({ success: true, extra: base64({ url }) }),
          'a2a-extensions': url,
          etag: `"${base64(url)}"`,
          'retry-after': url,
          'ratelimit-policy': JSON.stringify(url).replaceAll('.', '\\u002e'),
          'mcp-session-id': `${new URL(url).host}/1`,
        })
        .end('{}'),
  ],
  [
    'a challenge in base64',
    (url) => (_request, response) =>
      response.writeHead(401, { 'www-authenticate': `Payment request="${base64({ realm: url })}"` }).end(),
  ],
  [
    'a stack trace',
    (url) => (_request, response) =>
      response
        .writeHead(500, { 'content-type': 'text/plain' })
        .end(`Error: connect ECONNREFUSED\n  at ${new URL(url).host}\n  at ${url}`),
  ],
  [
    'a page for what is not there',
    (url) => (_request, response) =>
      response
        .writeHead(404, { 'content-type': 'text/html' })
        .end(`<address>Apache Server at ${new URL(url).hostname} Port 80</address>`),
  ],
  [
    'a compressed page',
    (url) => (_request, response) =>
      response.writeHead(503, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync(url)),
  ],
  [
    'events of an error',
    (url) => (_request, response) =>
      response.writeHead(500, { 'content-type': 'text/event-stream' }).end(`data: cannot bind ${url}\n\n`),
  ],
];

describe.each(['message/send', 'message/stream'])('%s does not tell where the agent lives', (method) => {
  it.each(answers)('by %s', async (_what, answer) => {
    const server = createServer();
    const url = await listen(server);
    server.on('request', answer(url));
    expect((await receive(url, method)).status).toBe(200);
    expect((await receive(url, method, { a2a_compliant: true })).status).toBe(200);
    expect((await receive(url, method, { message_protocol: 'mcp' })).status).toBe(200);
  });

  it.each([
    ['that is gone', (url: string) => url, null],
    ['that is spoken to in TLS and does not', (url: string) => url.replace('http', 'https'), 'HTTP/1.1 400 \r\n\r\n'],
    ['that speaks no HTTP', (url: string) => url, 'SSH-2.0-OpenSSH_9\r\n'],
    ['that breaks off', (url: string) => url, 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'],
    [
      'that upgrades',
      (url: string) => url,
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
    ['that has a port which is never used', (url: string) => url.replace(/:\d+\//u, ':6667/'), null],
  ])('by the error of one %s', async (_what, endpointOf, raw) => {
    const server = createTcpServer((socket) =>
      raw === null ? socket.destroy() : socket.on('error', () => undefined).once('data', () => socket.end(raw)),
    );
    const endpoint = endpointOf(await listen(server));
    const { status, text } = await receive(endpoint, method);
    expect([status, JSON.parse(text)]).toEqual([502, expect.objectContaining({ code: 'downstream_failed' })]);
  });
});

it('what is the agent’s own word stays as it is, compressed or not', async () => {
  const packed = gzipSync('{"a":1}');
  const url = await listen(
    createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
    ),
  );
  const { text } = await receive(url, 'message/send');
  expect(JSON.parse(text)).toMatchObject({
    body: packed.toString('base64'),
    response_headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
  });
});
