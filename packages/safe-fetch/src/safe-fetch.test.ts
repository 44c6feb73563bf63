import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { outboundLimits } from './limits.ts';
import { readBytes } from './response-body.ts';
import { client, failure, serve, serveRaw, text } from './testing/loopback.ts';

describe('what is sent and answered', () => {
  it('sends method, path, headers and body, and returns status, headers and bytes', async () => {
    const url = await serve((request, response) => {
      const seen = `${request.method} ${request.url} ${String(request.headers['x-a'])} ${request.headers['accept-encoding']} `;
      response.writeHead(418, { 'X-B': ['1', '2'], 'content-type': 'text/plain' }).write(seen);
      request.pipe(response);
    });
    const answer = await client()(`${url}/p%20q?r=s#t`, {
      method: 'POST',
      headers: { 'X-A': 'a' },
      body: Buffer.from('body'),
    });
    expect([answer.status, answer.headers['x-b'], answer.headers['content-type']]).toEqual([
      418,
      ['1', '2'],
      'text/plain',
    ]);
    expect(Buffer.from(await readBytes(answer.body)).toString()).toBe('POST /p%20q?r=s a identity body');
  });

  it('streams a request body', async () => {
    const url = await serve((request, response) => void request.pipe(response));
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      yield Buffer.from('b');
    }
    expect(await text(client(), url, { method: 'PUT', body: body() })).toBe('ab');
  });

  it('drops headers that belong to the connection and refuses those that would end one', async () => {
    const url = await serve((request, response) => void response.end(JSON.stringify(request.headers)));
    const headers = {
      Host: 'evil.test',
      Connection: 'upgrade',
      Upgrade: 'h2c',
      TE: 'trailers',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '9',
      'proxy-authorization': 'x',
    };
    const seen = JSON.parse(await text(client(), url, { headers })) as Record<string, string>;
    expect(Object.keys(seen).toSorted()).toEqual(['accept-encoding', 'connection', 'host']);
    expect(seen.host).toBe(new URL(url).host);
    for (const value of ['a\r\nx: y', 'a\nb', 'a\u0000', '\u0100']) {
      expect(await failure(client()(url, { headers: { 'x-a': value } }))).toMatchObject({ reason: 'header_value' });
    }
    expect(await failure(client()(url, { headers: { 'x a': '1' } }))).toMatchObject({ reason: 'header_name' });
    const tooLong = 'y'.repeat(outboundLimits.requestHeaderBytesMax);
    expect(await failure(client()(url, { headers: { x: tooLong } }))).toMatchObject({ kind: 'too_large' });
  });

  it('returns a redirect unchanged', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const answer = await client()(url);
    answer.body.cancel();
    expect([answer.status, answer.headers.location, requests]).toEqual([307, '/elsewhere', 1]);
  });

  it('passes a compressed bomb on as received', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const url = await serve((_, response) => void response.setHeader('content-encoding', 'gzip').end(bomb));
    const answer = await client()(url);
    expect((await readBytes(answer.body)).byteLength).toBe(bomb.byteLength);
  });

  it('keeps connections for the next request', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    const fetch = client();
    for (let round = 0; round < 10; round += 1) await text(fetch, url);
    // The next request may start between the last byte and the end of the answer.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('keeps header names of the target from becoming anything else', async () => {
    const url = await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\n\r\n'));
    const { headers, body } = await client()(url);
    body.cancel();
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });
});
