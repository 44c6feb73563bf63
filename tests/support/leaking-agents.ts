import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { expect } from 'vitest';
import { decodingsOf } from './decodings.ts';

/** An address that nothing else uses: an answer that contains it discloses where the agent is. */
const hiddenHost = '127.77.31.9';
/** The same address as a number in several bases, and as IPv6. */
const hiddenNumber = 2_135_760_649;
const hiddenForms = [
  hiddenHost,
  String(hiddenNumber),
  hiddenNumber.toString(16),
  hiddenNumber.toString(8),
  '::ffff:7f4d:1f09',
];

/** Listens on the hidden address; returns the endpoint. */
export async function listenHidden(server: Server): Promise<string> {
  server.listen(0, hiddenHost);
  await once(server, 'listening');
  return `http://${hiddenHost}:${(server.address() as AddressInfo).port}/rpc`;
}

/** Checks that a received answer discloses neither host nor port of `url`, in its raw bytes and in every decoding. */
export function expectUndisclosed({ headers, text }: { headers: Headers; text: string }, url: string): void {
  const all = `${[...headers].map((pair) => pair.join(': ')).join('\n')}\n\n${text}`;
  // Except inside an id.
  const port = new RegExp(`(?<![\\da-z])${new URL(url).port}(?![\\da-z])`, 'iu');
  const leaks = decodingsOf(all).filter(
    (decoding) => hiddenForms.some((form) => decoding.toLowerCase().includes(form)) || port.test(decoding),
  );
  expect(leaks.map((decoding) => decoding.slice(0, 2_000))).toEqual([]);
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Ways in which an error page may spell the address of its server. */
const spellings: [string, (url: URL) => string][] = [
  ['base64', ({ href }) => base64(href)],
  ['percent-encoding', ({ hostname }) => hostname.replaceAll(/./gu, (char) => `%${char.charCodeAt(0).toString(16)}`)],
  [
    'escapes of JSON',
    ({ hostname }) =>
      `{"at":"${hostname.replaceAll(/./gu, (char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, '0')}`)}"}`,
  ],
  ['entities of HTML', ({ hostname }) => hostname.replaceAll(/./gu, (char) => `&#${char.charCodeAt(0)};`)],
  ['an address that is a number', ({ port }) => `see http://${hiddenNumber}:${port}/`],
  ['a number', () => `bound to ${hiddenNumber}`],
  ['a number of JSON', () => `{"ip":${hiddenNumber}}`],
  ['a hexadecimal number', () => `bound to 0x${hiddenNumber.toString(16).toUpperCase()}`],
  ['an octal number', () => `bound to 0${hiddenNumber.toString(8)}`],
  ['an address of two parts', ({ port }) => `at 127.5054217:${port}`],
  ['an address of version 6', ({ port }) => `at [::ffff:7f4d:1f09]:${port}`],
  ['an address of version 6 without port', () => 'at ::ffff:7f4d:1f09'],
  ['the port of localhost', ({ port }) => `at localhost:${port}`],
  ['a footer', ({ hostname, port }) => `<address>Apache Server at ${hostname} Port ${port}</address>`],
  ['the footer of localhost', ({ port }) => `<address>Apache Server at localhost Port ${port}</address>`],
  ['members of JSON', ({ hostname, port }) => `{"address":"${hostname}","port":${port}}`],
  ['a text of JSON', ({ port }) => `{"port":"${port}"}`],
];

/** Answers of an agent, each of which discloses the address `url` in another place. */
export const leakingAnswers: [string, (url: string) => RequestListener][] = [
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
    'a page for a missing resource',
    (url) => (_request, response) =>
      response
        .writeHead(404, { 'content-type': 'text/html' })
        .end(`<address>Apache Server at ${new URL(url).hostname} Port 80</address>`),
  ],
  ...spellings.map(([what, spell]): [string, (url: string) => RequestListener] => [
    `a page with ${what}`,
    (url) => (_request, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(spell(new URL(url))),
  ]),
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
  [
    'trailers',
    (url) => (_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        trailer: 'location, payment-response, x-served-by',
        'transfer-encoding': 'chunked',
      });
      response.write('{}');
      response.addTrailers({
        location: url,
        'payment-response': base64({ success: true, resource: url }),
        'x-served-by': new URL(url).host,
      });
      response.end();
    },
  ],
  [
    'early hints',
    (url) => (_request, response) =>
      response.writeEarlyHints({ link: `<${url}>; rel=preload`, 'x-served-by': new URL(url).host }, () =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      ),
  ],
  ['a reason', (url) => (_request, response) => response.writeHead(418, `Teapot at ${new URL(url).host}`).end()],
];

/** Failing agents: the endpoint to register instead of the real one, and the bytes that the agent sends; null: none. */
export const failingAgents: [string, (url: string) => string, string | null][] = [
  ['that is offline', (url) => url, null],
  ['that is registered as https and speaks no TLS', (url) => url.replace('http', 'https'), 'HTTP/1.1 400 \r\n\r\n'],
  ['that speaks no HTTP', (url) => url, 'SSH-2.0-OpenSSH_9\r\n'],
  ['that breaks off its answer', (url) => url, 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'],
  ['that upgrades', (url) => url, 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ['on a port that browsers block', (url) => url.replace(/:\d+\//u, ':6667/'), null],
];
