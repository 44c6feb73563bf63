/** Bug: a server that stops closes a connection on which a load balancer has just written a request. */
import { Agent, createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { edgeLimits } from '../limits.ts';
import { closeGently } from './close-gently.ts';

let server: Server;
let client: Agent;
beforeEach(async () => {
  server = createServer((_request, response) => {
    if (!server.listening) response.setHeader('connection', 'close');
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

const port = (): number => (server.address() as AddressInfo).port;
const ask = (to: number, agent: Agent | false): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: to, agent }, (response) => {
      response.resume().on('end', () => resolve(response.headers.connection ?? ''));
    });
    asked.on('error', reject).end();
  });
const stop = (graceMs: number): Promise<void> =>
  closeGently(server, () => new Promise<void>((resolve) => void server.close(() => resolve())), graceMs);

it('answers what arrives on an idle connection, ends the connection with it, and takes no new one', async () => {
  const to = port();
  expect(await ask(to, client)).toBe('keep-alive');
  const stopped = stop(10_000);
  await expect(ask(to, false)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await ask(to, client)).toBe('close');
  const answeredAt = performance.now();
  await stopped;
  expect(performance.now() - answeredAt).toBeLessThan(edgeLimits.stopIdleMs);
});

it('ends idle connections after their time, and at the latest after half of the grace', async () => {
  for (const graceMs of [10_000, 100]) {
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
    const idle = new Agent({ keepAlive: true });
    await ask(port(), idle);
    const startedAt = performance.now();
    await stop(graceMs);
    const tookMs = performance.now() - startedAt;
    const expectedMs = Math.min(edgeLimits.stopIdleMs, graceMs / 2);
    expect(tookMs).toBeGreaterThanOrEqual(expectedMs - 5);
    idle.destroy();
  }
});

it('answers a request that has arrived unread when idle connections end', async () => {
  const idle = connect(port(), '127.0.0.1');
  await once(idle, 'connect');
  const say = (): boolean => idle.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  say();
  expect(String(await once(idle, 'data'))).toMatch(/^HTTP\/1\.1 200/u);
  const realTimeout = setTimeout;
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  try {
    const stopped = stop(10_000);
    vi.advanceTimersByTime(edgeLimits.stopIdleMs);
    // Timers go before what has arrived, as they do when a process that stood still goes on.
    await new Promise((resolve) => void realTimeout(resolve));
    say();
    vi.advanceTimersByTime(edgeLimits.stopPollMs);
    const answers = idle.setEncoding('utf8').toArray() as Promise<string[]>;
    expect((await answers).join('')).toMatch(/^HTTP\/1\.1 200[^]*connection: close/iu);
    await stopped;
  } finally {
    vi.useRealTimers();
  }
});

it('cuts off what still runs after the grace', async () => {
  server.removeAllListeners('request').on('request', () => undefined);
  const outcome = ask(port(), client).catch((error: unknown) => error);
  await once(server, 'request');
  await stop(200);
  expect(await outcome).toMatchObject({ code: 'ECONNRESET' });
});
