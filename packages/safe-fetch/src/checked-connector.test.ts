/**
 * Bug: a connection to an unchecked address.
 * Method: a canary on loopback counts connections, and injected resolvers answer what a hostile name server would.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { client, failure, listen, serve, text } from './testing/loopback.ts';

describe('where it connects', () => {
  it('never reaches a loopback server with an empty OUTBOUND_ALLOW, in any spelling', async () => {
    let connections = 0;
    const port = await listen(createTcpServer(() => (connections += 1)));
    const fetch = client({ allow: '' });
    const hosts = [
      '127.0.0.1',
      'localhost',
      '127.1',
      '0x7f.1',
      '2130706433',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::]',
      'localhost.',
    ];
    for (const host of hosts) {
      expect(await failure(fetch(`http://${host}:${port}/`))).toMatchObject({ kind: 'not_allowed' });
      expect(await failure(fetch(`https://${host}:${port}/`))).toMatchObject({ kind: 'not_allowed' });
    }
    expect(connections).toBe(0);
  });

  it('connects to the address it checked: a name that changes its answer is looked up once for each connection', async () => {
    // DNS rebinding: the first answer is allowed, every later one is not.
    const url = await serve((_, response) => void response.setHeader('connection', 'close').end('reached'));
    const answers = ['127.0.0.1', '127.0.0.2'];
    let lookups = 0;
    const resolve = (): Promise<string[]> => Promise.resolve([answers[Math.min(lookups++, 1)] ?? '']);
    const fetch = client({ allow: '127.0.0.1', resolve });
    const target = `http://rebind.test:${new URL(url).port}/`;
    expect(await text(fetch, target)).toBe('reached');
    expect(lookups).toBe(1);
    expect(await failure(fetch(target))).toMatchObject({ kind: 'not_allowed', reason: 'private_address' });
    expect(lookups).toBe(2);
  });

  it('refuses a name for one forbidden address, even if another is allowed', async () => {
    const url = await serve((_, response) => void response.end());
    for (const addresses of [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
    ]) {
      const fetch = client({ allow: '127.0.0.1', resolve: () => Promise.resolve(addresses) });
      expect(await failure(fetch(url.replace('127.0.0.1', 'many.test')))).toMatchObject({ reason: 'private_address' });
    }
  });

  it('tries the next address of a name if one does not answer', async () => {
    const url = await serve((_, response) => void response.end('second'));
    const fetch = client({ resolve: () => Promise.resolve(['127.0.0.7', '127.0.0.1']) });
    expect(await text(fetch, url.replace('127.0.0.1', 'two.test'))).toBe('second');
  });

  // Bug: the duration of a lookup reduced the connection timeout, so a server that was up seemed unreachable.
  it('gives a connection its whole timeout, however long the lookup took', async () => {
    const url = await serve((_, response) => void response.end('there'));
    const resolve = async (): Promise<string[]> => {
      await delay(150);
      return ['127.0.0.1'];
    };
    const fetch = client({ resolve, timeouts: { lookupMs: 2_000, connectMs: 100 } });
    expect(await text(fetch, url.replace('127.0.0.1', 'slow.test'))).toBe('there');
  });

  it('opens only the configured combination of host name and port', async () => {
    const url = new URL(await serve((_, response) => void response.end('in')));
    const fetch = client({ allow: `agents.test:${url.port}`, resolve: () => Promise.resolve(['127.0.0.1']) });
    expect(await text(fetch, `http://agents.test:${url.port}/`)).toBe('in');
    expect(await text(fetch, `http://AGENTS.test.:${url.port}/`)).toBe('in');
    expect(await failure(fetch(`http://other.test:${url.port}/`))).toMatchObject({ kind: 'not_allowed' });
    expect(await failure(fetch(`http://agents.test:${Number(url.port) - 1}/`))).toMatchObject({ kind: 'not_allowed' });
    expect(await failure(fetch(url))).toMatchObject({ kind: 'not_allowed' });
  });

  it('reports a closed port, an unknown name and a server without TLS as unreachable', async () => {
    const port = await listen(createTcpServer((socket) => void socket.end('no TLS here')));
    expect(await failure(client()(`https://127.0.0.1:${port}/`))).toMatchObject({ kind: 'unreachable' });
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND no.test'), { code: 'ENOTFOUND' });
    const lost = await failure(client({ resolve: () => Promise.reject(unknown) })('http://no.test/'));
    expect(lost).toMatchObject({ kind: 'unreachable', reason: 'name_not_found', cause: unknown });
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const closedPort = (server.address() as AddressInfo).port;
    server.close();
    await once(server, 'close');
    const refused = await failure(client()(`http://127.0.0.1:${closedPort}/`));
    expect(refused).toMatchObject({ kind: 'unreachable', reason: 'connection_refused' });
    expect([refused.message, lost.message].join()).not.toMatch(/127|no\.test|\d{4}/);
  });
});
