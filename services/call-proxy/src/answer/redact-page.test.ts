/** Bug: a page discloses the agent's address in a notation that `/pay` would have found; or a harmless page is withheld. */
import { describe, expect, it } from 'vitest';
import { pageBytesMax, redactAddress, redactPage, withheldPage } from './redact-page.ts';

const endpoint = 'http://127.0.0.1:19311/rpc';
const shown = (page: string, url = endpoint): string =>
  Buffer.from(redactPage(Buffer.from(page), url).body).toString('utf8');

it.each([
  Buffer.from(endpoint).toString('base64'),
  '%31%32%37.0.0.1',
  String.raw`{"at":"\u0031\u0032\u0037.0.0.1"}`,
  'http://2130706433:19311/',
  'http://0x7f000001/',
  'at 127.1:19311',
  'at [::ffff:7f00:1]:19311',
  'localhost:19311',
  'Server at localhost Port 19311',
  '{"host":"127.0.0.1","port":19311}',
  '2130706433',
  '0x7F000001',
  '017700000001',
  '&#49;&#50;&#55;.0.0.1',
])('a page that encodes the address is withheld: %s', (page) => {
  expect(shown(page)).toBe(withheldPage.tells);
  expect(redactPage(Buffer.from(page), endpoint).isWithheld).toBe(true);
});

it.each([
  ['Apache Server at 127.0.0.1 Port 19311', 'Apache Server at agent.invalid'],
  ['connect ECONNREFUSED 127.0.0.1:19311', 'connect ECONNREFUSED agent.invalid'],
])('a page with the address in clear is shown without it: %s', (page, expected) => expect(shown(page)).toBe(expected));

it('a page may contain a host whose name is a prefix of the endpoint’s', () =>
  expect(shown('see http://agent/x', 'http://agent:4021/')).toBe('see http://agent.invalid/x'));

it.each([
  '',
  '<h1>502 Bad Gateway</h1><hr>nginx/1.27.4',
  '<address>Apache/2.4.62 Server at www.other.example Port 443</address>',
  '{"error":{"code":-32603,"message":"connect ECONNREFUSED 10.1.2.3:5432","port":5432,"address":"10.1.2.3"}}',
  'Error: timeout after 19311 ms\n    at Socket.on (node:net:193:11)\n    at file:///app/server.js:127:1',
  '{"amount":"2130706434","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","at":"2026-11-22T01:14:10.193Z"}',
  'see http://localhost:8080/ or https://docs.example:8443/errors#500, port 80',
  '&copy; 2026 &#8212; 100 % caf\u00e9',
])('a harmless page is shown unchanged: %j', (page) => {
  for (const url of [endpoint, 'https://agents.example/rpc', 'http://agent:4021/']) {
    const bytes = Buffer.from(page);
    expect(redactPage(bytes, url)).toEqual({ body: bytes, isWithheld: false });
  }
});

it('a page of the maximum size is searched, and a larger one is withheld', () => {
  expect(shown('x '.repeat(pageBytesMax / 2))).toHaveLength(pageBytesMax);
  expect(shown('x'.repeat(pageBytesMax + 1))).toBe(withheldPage.long);
});

const redacted = (text: string, endpoint: string): string =>
  Buffer.from(redactAddress(Buffer.from(text), endpoint)).toString();

describe('an address in clear', () => {
  it.each([
    ['https://api.hidden.example/rpc', 'Apache at API.hidden.example Port 443', 'Apache at agent.invalid'],
    ['http://localhost:4021/', 'Apache Server at localhost Port 4021', 'Apache Server at agent.invalid'],
    ['http://agent:4021/', 'an agent on Port 4021', 'an agent on Port 4021'],
    ['https://hidden.example:8443/rpc', '<a href="http://hidden.example:8443/x">', '<a href="http://agent.invalid/x">'],
    ['https://hidden.example./', 'at hidden.example.', 'at agent.invalid'],
    ['https://hidden.example/', 'u=https%3A%2F%2Fhidden.example%3A443%2F', 'u=https%3A%2F%2Fagent.invalid%2F'],
    ['http://127.0.0.1:4021/', 'Error:\\n127.0.0.1:4021', 'Error:\\nagent.invalid'],
    ['http://[2001:db8::7]:4021/', 'at [2001:db8::7]:4021 and 2001:db8::7', 'at agent.invalid and agent.invalid'],
    ['https://bücher.example/', 'xn--bcher-kva.example, bücher.example', 'agent.invalid, agent.invalid'],
    [
      'http://agent:4021/',
      '{"agent_id":"the agent","at":"http://agent/","on":"agent:4021"}',
      '{"agent_id":"the agent","at":"http://agent.invalid/","on":"agent.invalid"}',
    ],
  ])('of %s loses its address: %s', (endpoint, page, expected) => expect(redacted(page, endpoint)).toBe(expected));

  it('that is absent from a page leaves every byte unchanged', () => {
    const bytes = Buffer.from([0, 255, 0xc3, 0x28, 10, 13]);
    expect(redactAddress(bytes, 'https://hidden.example/')).toBe(bytes);
    const around = Buffer.concat([bytes, Buffer.from('hidden.example'), bytes]);
    expect(redactAddress(around, 'https://hidden.example/')).toEqual(
      Buffer.concat([bytes, Buffer.from('agent.invalid'), bytes]),
    );
  });
});

describe('a path or a query', () => {
  const secret = 'https://agents.example/hooks/T0KEN-4711/run?key=s3cret%2Fvalue&mode=a';
  it.each([
    [secret, 'Cannot POST /hooks/T0KEN-4711/run', 'Cannot POST /hidden'],
    [
      secret,
      '<pre>Cannot POST /hooks/T0KEN-4711/run?key=s3cret%2Fvalue&amp;mode=a</pre>',
      '<pre>Cannot POST /hidden?hidden</pre>',
    ],
    [secret, 'at https://agents.example/hooks/T0KEN-4711/run/next', 'at https://agent.invalid/hidden/next'],
    [secret, String.raw`{"path":"\/hooks\/T0KEN-4711\/run"}`, '{"path":"/hidden"}'],
    [secret, String.raw`{"path":"\u002fhooks\u002fT0KEN-4711\u002frun"}`, '{"path":"/hidden"}'],
    [secret, '&#x2F;hooks&#x2F;T0KEN-4711&#47;run', '/hidden'],
    [secret, 'u=%2Fhooks%2FT0KEN-4711%2Frun', 'u=/hidden'],
    ['https://a.example/%C3%BCber/rpc', 'no /über/rpc here, nor /%C3%BCber/rpc', 'no /hidden here, nor /hidden'],
    ['https://a.example/x/0123456789abcdef', 'unknown hook 0123456789abcdef', 'unknown hook hidden'],
    ['https://a.example/?token=0123456789abcdef', '{"token":"0123456789abcdef"}', '{"token":"hidden"}'],
    ['https://a.example/rpc/', 'Cannot POST /rpc', 'Cannot POST /hidden'],
  ])('of %s is hidden: %s', (url, page, expected) => expect(shown(page, url)).toBe(expected));

  it.each([
    ['https://a.example/a', '<a href="/b">x</a> and/or a/b'],
    ['https://a.example/rpc', 'see /rpc2, /xrpc, /rpc-next and grpc/rpc'],
    ['https://a.example/', 'Cannot POST /'],
  ])('of %s changes nothing else: %s', (url, page) => expect(shown(page, url)).toBe(page));

  it('takes time in proportion to the page', () => {
    const page = '/hooks/T0KEN-4711/ru '.repeat(pageBytesMax / 21);
    // Of this thread alone: other test files run in other threads.
    const startedAt = process.threadCpuUsage();
    expect(shown(page, secret)).toBe(page);
    expect(process.threadCpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });
});
