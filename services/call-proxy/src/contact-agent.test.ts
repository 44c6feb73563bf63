/** Timing and kinds of answers that only real sockets show: agents on loopback, many of them raw. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createSafeFetch, type OutboundError, type SafeFetch } from '@agent-trust/safe-fetch';
import { afterEach, describe, expect, it } from 'vitest';
import { type ContactDeps, type Contacted, contactAgent, planFor } from './contact-agent.ts';
import { type A2aWireForms, createA2aWireForms } from './request/a2a-wire-forms.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A server that passes the first bytes of each connection to `answer`. */
const serve = async (answer: (socket: Socket, request: number) => void): Promise<string> => {
  let requests = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => answer(socket, (requests += 1)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const drip = (socket: Socket, head: string, byte = '.'): void => {
  socket.write(head);
  const timer = setInterval(() => socket.write(byte), 20);
  socket.on('close', () => clearInterval(timer));
};

const callTimeoutMs = 300;
const contact = async (
  endpointUrl: string,
  {
    method = 'message/send',
    wireForms = createA2aWireForms(),
    extraHeaders = {},
  }: {
    method?: string;
    wireForms?: A2aWireForms;
    extraHeaders?: Record<string, string>;
  } = {},
): Promise<Contacted> => {
  const safeFetch: SafeFetch = createSafeFetch({ allow: '127.0.0.0/8' });
  cleanups.push(() => safeFetch.close());
  const deps: ContactDeps = { safeFetch, wireForms, newId: () => 'id', callTimeoutMs, streamedAnswerBytesMax: 1e6 };
  const message = {
    jsonrpc: '2.0',
    method,
    params: { message: { role: 'user', parts: [{ kind: 'text', content_type: 'text/plain', content: 'x' }] } },
  };
  const target = { agentId: 'agent', endpointUrl, messageProtocol: 'a2a', a2aCompliant: true, httpMethods: null };
  const request = {
    target: target as Parameters<typeof contactAgent>[1]['target'],
    message: Buffer.from(JSON.stringify(message)),
    methodOverride: null,
    extraHeaders,
    signal: new AbortController().signal,
    holdAnswer: () => Promise.resolve(),
  };
  return contactAgent(deps, request, planFor(deps, request));
};
/** @returns `isLate` as a timer of `lateMs` says: timers go off in order, however busy the machine is */
const failureOf = async (
  work: Promise<unknown>,
  lateMs = callTimeoutMs * 3,
): Promise<{ kind: string; reason: string; isLate: boolean }> => {
  let isLate = false;
  const timer = setTimeout(() => (isLate = true), lateMs);
  const error = (await work.then(
    () => ({ kind: 'none', reason: 'none' }),
    (reason: unknown) => reason,
  )) as OutboundError;
  clearTimeout(timer);
  return { kind: error.kind, reason: error.reason, isLate };
};

const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const events = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';

describe("an agent's time limit", () => {
  it.each(['message/send', 'message/stream'])(
    'covers one whole answer that arrives byte by byte: %s',
    async (method) => {
      const url = await serve((socket) => drip(socket, `${json}content-length: 100000\r\n\r\n`));
      expect(await failureOf(contact(url, { method }))).toMatchObject({ kind: 'timeout', isLate: false });
    },
  );

  it.each(['message/send', 'message/stream'])(
    'covers the headers, however the agent delays them: %s',
    async (method) => {
      const url = await serve((socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'));
      expect(await failureOf(contact(url, { method }))).toMatchObject({ kind: 'timeout', isLate: false });
    },
  );

  it('is not doubled by the second form of a message', async () => {
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":""}}';
    const url = await serve((socket, request) => {
      const answer = `${json}connection: close\r\ncontent-length: ${error.length}\r\n\r\n${error}`;
      if (request === 1) setTimeout(() => socket.end(answer), callTimeoutMs * 0.7);
    });
    const { kind, isLate } = await failureOf(contact(url), callTimeoutMs * 1.6);
    expect([kind, isLate]).toEqual(['timeout', false]);
  });

  it('does not end a live stream of events', async () => {
    const url = await serve((socket) => drip(socket, `${events}\r\n`, 'data: x\n\n'));
    const answer = await contact(url, { method: 'message/stream' });
    if (answer.kind !== 'events') throw new Error('no events');
    const startedAt = performance.now();
    for await (const chunk of answer.events) {
      expect(chunk.length).toBeGreaterThan(0);
      if (performance.now() - startedAt > callTimeoutMs * 2) break;
    }
  });
});

describe('the answer to a caller who requested a stream', () => {
  it.each([
    ['events', `${events}\r\ndata: x\n\n`, 'events'],
    ['JSON', `${json}\r\n{}`, 'whole'],
    ['events that tell of an error', `${events.replace('200', '500')}\r\ndata: x\n\n`, 'whole'],
    ['events that ask for payment', `${events.replace('200', '402')}\r\ndata: x\n\n`, 'whole'],
  ])('that the agent answers with %s', async (_what, answer, kind) => {
    const url = await serve((socket) => socket.end(answer));
    const contacted = await contact(url, { method: 'message/stream' });
    expect(contacted.kind).toBe(kind);
  });

  it.each([events, json])('is never a compressed body', async (head) => {
    const body = gzipSync('data: x\n\n');
    const url = await serve((socket) => {
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.end(body);
    });
    expect(await failureOf(contact(url, { method: 'message/stream' }))).toMatchObject({
      kind: 'protocol',
      reason: 'content_encoding',
    });
  });
});

describe('the form of a message', () => {
  /** A server that supports one JSON-RPC method, and counts its requests. */
  const knowing = async (known: () => string): Promise<{ url: string; asked: string[] }> => {
    const asked: string[] = [];
    const server = createHttpServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { method } = JSON.parse(body) as { method: string };
        asked.push(method);
        const answer = method === known() ? { result: {} } : { error: { code: -32_601, message: '' } };
        if (request.headers['x-payment'] !== undefined) response.setHeader('x-payment-response', asked.length);
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
  };

  it('is the one that the server last accepted', async () => {
    let known = 'SendMessage';
    const { url, asked } = await knowing(() => known);
    const wireForms = createA2aWireForms();
    const ask = async (): Promise<string[]> => {
      await contact(url, { wireForms });
      return asked.splice(0);
    };
    expect(await ask()).toEqual(['message/send', 'SendMessage']);
    expect(await ask()).toEqual(['SendMessage']);
    known = 'message/send';
    expect(await ask()).toEqual(['SendMessage', 'message/send']);
    expect(await ask()).toEqual(['message/send']);
    known = 'neither';
    expect(await ask()).toEqual(['message/send', 'SendMessage']);
    expect(wireForms.formOf(url)).toBe('superset');
  });

  it.each(['x-payment', 'payment-signature'])('is not tried a second time with the header %s', async (header) => {
    const { url, asked } = await knowing(() => 'SendMessage');
    const wireForms = createA2aWireForms();
    const paid = await contact(url, { wireForms, extraHeaders: { [header]: 'a payment' } });
    expect(asked.splice(0)).toEqual(['message/send']);
    // The caller gets the answer that reports the payment.
    expect(paid.headers['x-payment-response']).toBe(header === 'x-payment' ? '1' : undefined);
    expect(paid.kind === 'whole' && JSON.parse(Buffer.from(paid.body).toString())).toHaveProperty(
      'error.code',
      -32_601,
    );
    await contact(url, { wireForms, extraHeaders: { [header]: 'another payment' } });
    expect(asked.splice(0)).toEqual(['SendMessage']);
  });

  const pay = { 'x-payment': 'a payment' };

  it('is not derived from the refusal of a paid stream', async () => {
    const { url, asked } = await knowing(() => 'message/send');
    const wireForms = createA2aWireForms();
    await contact(url, { wireForms, method: 'message/stream', extraHeaders: pay });
    await contact(url, { wireForms, extraHeaders: pay });
    expect(asked).toEqual(['message/stream', 'message/send']);
  });

  it.each([
    ['message/send', 'message/send'],
    ['SendMessage', 'SendMessage'],
  ])('that succeeded is kept after a paid error: %s', async (known, sent) => {
    let isDown = false;
    const { url, asked } = await knowing(() => (isDown ? 'none' : known));
    const wireForms = createA2aWireForms();
    await contact(url, { wireForms });
    isDown = true;
    asked.splice(0);
    await contact(url, { wireForms, extraHeaders: pay });
    await contact(url, { wireForms, extraHeaders: pay });
    expect(asked).toEqual([sent, sent]);
  });

  it('that was only assumed is given up after a paid error', async () => {
    const { url, asked } = await knowing(() => 'none');
    const wireForms = createA2aWireForms();
    for (let call = 0; call < 3; call += 1) await contact(url, { wireForms, extraHeaders: pay });
    expect(asked).toEqual(['message/send', 'SendMessage', 'message/send']);
  });

  it('that succeeded is replaced by another that does', async () => {
    let known = 'message/send';
    const { url, asked } = await knowing(() => known);
    const wireForms = createA2aWireForms();
    await contact(url, { wireForms });
    known = 'SendMessage';
    await contact(url, { wireForms });
    asked.splice(0);
    await contact(url, { wireForms, extraHeaders: pay });
    expect(asked).toEqual(['SendMessage']);
  });

  it('is tried a second time with everything else that the caller sent', async () => {
    const { url, asked } = await knowing(() => 'SendMessage');
    await contact(url, { extraHeaders: { authorization: 'Bearer x', 'payment-hint': 'x' } });
    expect(asked).toEqual(['message/send', 'SendMessage']);
  });
});
