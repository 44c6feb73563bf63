/**
 * Bugs: a target blocks the client forever, exhausts its memory, or crashes it.
 * Method: hostile servers on loopback, many of them raw sockets, because an HTTP server would not misbehave.
 */
import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { outboundLimits } from './limits.ts';
import { client, failure, listen, serve, serveRaw, text } from './testing/loopback.ts';

describe('targets that misbehave', () => {
  it.each([
    ['garbage', 'SSH-2.0-OpenSSH_9\r\n', 'protocol'],
    ['a bad length', 'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n', 'protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'protocol'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'protocol',
    ],
    ['bad chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'protocol'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'protocol'],
    ['a body cut short', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', 'protocol'],
    ['huge headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(outboundLimits.responseHeaderBytesMax)}\r\n\r\n`, 'too_large'],
    ['nothing', '', 'unreachable'],
  ])('answers %s', async (_, answer, kind) => {
    const url = await serveRaw((socket) => socket.end(answer, 'latin1'));
    expect(await failure(text(client(), url))).toMatchObject({ kind });
  });

  it('resets the connection', async () => {
    const url = await serveRaw((socket) => socket.resetAndDestroy());
    expect(await failure(text(client(), url))).toMatchObject({ kind: 'unreachable' });
  });

  it('resets the connection in the middle of its body', async () => {
    const url = await serve((_, response) => {
      response.write('first');
      response.on('drain', () => {});
      setImmediate(() => response.socket?.resetAndDestroy());
    });
    expect(await failure(text(client(), url))).toMatchObject({ kind: expect.stringMatching(/protocol|unreachable/) });
  });

  it('never answers', async () => {
    const url = await serveRaw(() => {});
    const headers = client({ timeouts: { headersMs: 100 } });
    expect(await failure(headers(url))).toMatchObject({ kind: 'timeout', reason: 'headers_timeout' });
    expect(await failure(client()(url, { timeouts: { totalMs: 100 } }))).toMatchObject({ reason: 'total_timeout' });
  });

  it('announces forever that it will answer soon', async () => {
    const url = await serveRaw((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 10);
      socket.on('error', () => {}).on('close', () => clearInterval(timer));
    });
    expect(await failure(client()(url, { timeouts: { headMs: 200 } }))).toMatchObject({
      kind: 'timeout',
      reason: 'headers_timeout',
    });
  });

  it('counts the wait for a connection against the timeout', async () => {
    const url = await serve((_, response) => response.writeHead(200).flushHeaders());
    const fetch = client();
    const long = Array.from({ length: outboundLimits.connectionsPerOriginMax }, () => fetch(url));
    const answers = await Promise.all(long);
    expect(await failure(fetch(url, { timeouts: { headMs: 100 } }))).toMatchObject({ reason: 'headers_timeout' });
    for (const { body } of answers) body.cancel();
  });

  it.each([
    ['a reason', 'HTTP/1.1 200 ', 'o'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'],
    ['one header', 'HTTP/1.1 200 OK\r\nx: ', 'y'],
    ['a name of a header', 'HTTP/1.1 200 OK\r\n', 'x'],
  ])('never comes to the end of %s', async (_, begin, more) => {
    const url = await serveRaw((socket) => {
      socket.on('error', () => {});
      socket.write(begin);
      const flood = (): void => {
        while (!socket.destroyed && socket.write(more.repeat(16_384)));
        if (!socket.destroyed) socket.once('drain', flood);
      };
      flood();
    });
    expect(await failure(client()(url, { timeouts: { headMs: 1_000 } }))).toMatchObject({
      kind: expect.stringMatching(/too_large|timeout|protocol/),
    });
  });

  it.each([
    ['a chunk’s extension', '5;', 'x'],
    ['trailers', '1\r\na\r\n0\r\n', 'x: y\r\n'],
  ])('never comes to the end of %s', async (_, begin, more) => {
    const url = await serveRaw((socket) => {
      socket.on('error', () => {});
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${begin}`);
      const flood = (): void => {
        while (!socket.destroyed && socket.write(more.repeat(16_384)));
        if (!socket.destroyed) socket.once('drain', flood);
      };
      flood();
    });
    const endless = text(client(), url, { timeouts: { totalMs: 1_000 } });
    expect(await failure(endless)).toMatchObject({ kind: expect.stringMatching(/too_large|timeout|protocol/) });
  });

  it('never lets a name resolve, or a connection open', async () => {
    const mute = client({ timeouts: { lookupMs: 100 }, resolve: () => new Promise(() => {}) });
    expect(await failure(mute('http://mute.test/'))).toMatchObject({ kind: 'timeout', reason: 'lookup_timeout' });
    const port = await listen(createTcpServer());
    const tls = client({ timeouts: { connectMs: 100 } });
    expect(await failure(tls(`https://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'timeout',
      reason: 'connect_timeout',
    });
  });

  it('never reads the request', async () => {
    const port = await listen(createTcpServer((socket) => void socket.pause()));
    const body = Buffer.alloc(32 * 1024 * 1024);
    const sent = client()(`http://127.0.0.1:${port}/`, { method: 'POST', body, timeouts: { headMs: 300 } });
    expect(await failure(sent)).toMatchObject({ kind: 'timeout', reason: 'headers_timeout' });
  });

  it('stops in the middle of its body', async () => {
    const url = await serve((_, response) => void response.write('first'));
    const fetch = client({ timeouts: { bodyIdleMs: 100 } });
    expect(await failure(text(fetch, url))).toMatchObject({ kind: 'timeout', reason: 'body_idle_timeout' });
  });

  it('sends a byte now and then, forever', async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const slow = text(client(), url, { timeouts: { totalMs: 200, bodyIdleMs: 5_000 } });
    expect(await failure(slow)).toMatchObject({ kind: 'timeout', reason: 'total_timeout' });
  });

  it('sends endlessly: the body is cut at its limit and the connection closed', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const url = await serve((_, response) => {
      closed = once(response, 'close');
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const endless = text(client(), url, { responseBodyBytesMax: 1_000_000 });
    expect(await failure(endless)).toMatchObject({ kind: 'too_large', reason: 'response_body' });
    await closed;
  });

  it('announces more than the limit', async () => {
    const url = await serve((_, response) => void response.setHeader('content-length', '101').write('x'));
    expect(await failure(client()(url, { responseBodyBytesMax: 100 }))).toMatchObject({ kind: 'too_large' });
    const exact = await serve((_, response) => void response.end('x'.repeat(100)));
    expect(await text(client(), exact, { responseBodyBytesMax: 100 })).toHaveLength(100);
    expect((await client()(exact, { method: 'HEAD', responseBodyBytesMax: 1 })).status).toBe(200);
  });

  it('floods a reader that does not read: the sender is held back', async () => {
    let written = 0;
    const blocked = Promise.withResolvers<void>();
    const url = await serve((_, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536))) written += 65_536;
        written += 65_536;
        response.once('drain', more);
        clearTimeout(timer);
        timer = setTimeout(blocked.resolve, 200);
      };
      let timer: NodeJS.Timeout | undefined;
      more();
    });
    const answer = await client()(url, { responseBodyBytesMax: Number.MAX_SAFE_INTEGER });
    await blocked.promise;
    expect(written).toBeLessThan(32 * 1024 * 1024);
    answer.body.cancel();
  });
});
