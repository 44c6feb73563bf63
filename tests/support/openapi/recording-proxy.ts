import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from './exchange.ts';

/** Larger than any answer of the registry, including a call's answer of 10 MiB in base64. */
const keptBytesMax = 32 * 1024 * 1024;
/** Above the gateway's limit, so that the gateway is the one to refuse. */
const headerBytesMax = 256 * 1024;
/** Longer than the gateway's timeout, so that the client sees the gateway's. */
const idleConnectionMs = 120_000;

export type RecordingProxy = { readonly url: string; forwardTo(upstream: string): void; stop(): void };

const pairsOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2] ?? '', raw[index * 2 + 1] ?? '']);

/**
 * A transparent HTTP proxy: request target, headers with their order and case, body bytes and the pace of both sides pass unchanged, and
 * if one side disconnects, so does the other. Reports each exchange when its answer ends.
 */
export async function startRecordingProxy(onExchange: (exchange: Exchange) => void): Promise<RecordingProxy> {
  let upstream = new URL('http://127.0.0.1:9');
  // One connection for each request: the gateway might close a kept one just when it is reused.
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url: target = '', rawHeaders } = request;
    const forwarded = httpRequest({
      host: upstream.hostname,
      port: upstream.port,
      method,
      path: target,
      headers: rawHeaders,
      maxHeaderSize: headerBytesMax,
      agent,
    });
    request.pipe(forwarded);
    request.on('close', () => {
      if (!request.complete) forwarded.destroy();
    });
    response.on('close', () => {
      // Node's client stops sending once it has the answer. The gateway discards the rest of such a request; so does this proxy.
      if (!response.writableFinished || !request.complete) forwarded.destroy();
    });
    response.on('error', () => undefined);
    // An unread rest of a request would block the client's next one.
    forwarded.on('close', () => {
      request.unpipe(forwarded);
      request.resume();
    });
    forwarded.on('error', () => {
      if (!response.headersSent) request.socket.destroy();
    });
    // This server sends 100 Continue itself.
    forwarded.on('information', ({ statusCode, statusMessage, rawHeaders: lines }) => {
      const written = pairsOf(lines).map(([name, value]) => `${name}: ${value}\r\n`);
      if (statusCode !== 100)
        response.socket?.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${written.join('')}\r\n`, 'latin1');
    });
    forwarded.on('response', (answer) => {
      const kept: Buffer[] = [];
      let bytes = 0;
      const report = (isWhole: boolean): void =>
        onExchange({
          method,
          target,
          status: answer.statusCode ?? 0,
          headers: pairsOf(answer.rawHeaders),
          body: Buffer.concat(kept),
          isWhole: isWhole && bytes <= keptBytesMax,
        });
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= keptBytesMax) kept.push(chunk);
      });
      answer.once('close', () => {
        report(answer.complete);
        if (!answer.complete) response.destroy();
      });
      answer.on('error', () => undefined);
      answer.on('end', () => {
        if (answer.rawTrailers.length > 0) response.addTrailers(pairsOf(answer.rawTrailers));
      });
      response.sendDate = false;
      response.writeHead(answer.statusCode ?? 0, answer.statusMessage, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
    });
  };

  const server = createServer({ maxHeaderSize: headerBytesMax, requestTimeout: 0, headersTimeout: 0 }, pass);
  server.keepAliveTimeout = idleConnectionMs;
  // The gateway decides whether a request has too many header lines.
  server.maxHeadersCount = 0;
  server.listen(0, '127.0.0.1');
  // If the stack fails to start, the proxies must not keep the test process alive.
  server.unref();
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (url) => void (upstream = new URL(url)),
    stop: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
