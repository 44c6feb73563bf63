import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRegistryClient, type RegistryClient } from '../client.ts';
import { BrokenStreamError, TimeoutError, UnexpectedAnswerError } from '../errors.ts';
import type { CallStream } from '../operations/exchange.ts';
import type { ClientOptions } from '../options.ts';
import { json, type RegistryServer, type Respond, startRegistryServer } from '../testing/registry-server.ts';

let server: RegistryServer;
beforeEach(async () => {
  server = await startRegistryServer();
  return () => server.stop();
});

const client = (options: Partial<ClientOptions> = {}): RegistryClient =>
  createRegistryClient({ baseUrl: server.url, agentKey: 'k', retry: false, ...options });
const open = (by: RegistryClient): Promise<CallStream> =>
  by.callStream({
    caller_agent_id: 'a',
    agent_id: 'b',
    message: { jsonrpc: '2.0', method: 'message/stream' },
  });
const events =
  (...texts: string[]): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-registry-transaction-id': 't' }).flushHeaders();
    for (const text of texts) response.write(text);
  };
const readAll = async ({ events: all }: CallStream): Promise<string[]> => {
  const read: string[] = [];
  for await (const { data } of all) read.push(data);
  return read;
};

describe('a stream', () => {
  it('that falls silent is cancelled', async () => {
    server.answers = [events('data: one\n\n')];
    const stream = await open(client({ streamIdleTimeoutMs: 50 }));
    await expect(readAll(stream)).rejects.toBeInstanceOf(TimeoutError);
  });

  it('is ended by cancelling, also while its reader waits for the next event', async () => {
    server.answers = [events('data: one\n\n')];
    const stream = await open(client());
    const read: string[] = [];
    const reading = (async () => {
      for await (const { data } of stream.events) {
        read.push(data);
        // After the loop has requested the next event.
        setImmediate(() => void stream.cancel());
      }
    })();
    await reading;
    expect(read).toEqual(['one']);
  });

  it('whose lines end with CR has its last event too', async () => {
    server.answers = [
      (response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('\ufeffdata: one\r\rdata: two\r\r'),
    ];
    expect(await readAll(await open(client()))).toEqual(['one', 'two']);
  });

  it('has a timeout only while a reader waits', async () => {
    server.answers = [events('data: one\n\n', 'data: two\n\n')];
    const stream = await open(client({ streamIdleTimeoutMs: 10_000 }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const read: string[] = [];
    for await (const { data } of stream.events) {
      read.push(data);
      // Longer than the stream may be silent, while the reader handles an event.
      vi.advanceTimersByTime(60_000);
      if (data === 'two') break;
    }
    expect(read).toEqual(['one', 'two']);
  });

  it('has events of limited length', async () => {
    server.answers = [events(`data: ${'x'.repeat(17 * 1024 * 1024)}`)];
    await expect(readAll(await open(client()))).rejects.toBeInstanceOf(BrokenStreamError);
  });

  it('is not read if the answer is not a stream', async () => {
    server.answers = [(response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')];
    await expect(open(client())).rejects.toBeInstanceOf(UnexpectedAnswerError);
    server.answers = [
      json(200, { transaction_id: 't', status_code: 402, body: 'pay', pay_via: 'p', mcp_session_id: null }),
    ];
    const whole = await open(client());
    expect([whole.statusCode, whole.payVia, await readAll(whole)]).toEqual([402, 'p', ['pay']]);
  });
});

describe('an answer to a payment', () => {
  it('reports a break, and ends with the caller', async () => {
    const head = { 'x-registry-attribution': 'none', 'content-length': '100' };
    server.answers = [
      (response) => {
        response.writeHead(200, head).write('half');
        setImmediate(() => response.destroy());
      },
    ];
    const broken = await client().pay('a');
    await expect(broken.response.text()).rejects.toMatchObject({ name: 'NetworkError' });

    server.answers = [(response) => void response.writeHead(200, head).write('half')];
    const controller = new AbortController();
    const left = await client().pay('a', { signal: controller.signal });
    const reason = new Error('enough');
    const text = left.response.text();
    controller.abort(reason);
    await expect(text).rejects.toBe(reason);

    const silent = await client({ streamIdleTimeoutMs: 50 }).pay('a');
    await expect(silent.response.text()).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
