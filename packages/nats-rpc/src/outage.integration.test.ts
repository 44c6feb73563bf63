import { fork } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort, startNatsServer } from '@agent-trust/embedded-servers';
import { faultProxy, waitFor } from '@agent-trust/test-kit';
import { bytesMethod, connectPeer, echoMethod, readAll } from './test-peers.ts';

const natsUrl = inject('natsUrl');
const caller = { natsUrl, service: 'caller' };

const ownServer = async (port: number): Promise<Awaited<ReturnType<typeof startNatsServer>>> => {
  const server = await startNatsServer({ port, jetstream: false });
  onTestFinished(() => server.stop());
  return server;
};

test('a restart of NATS: calls under way fail at once, later calls wait for it and succeed, subscriptions are restored', async () => {
  const port = await freePort();
  const nats = await ownServer(port);
  const unary = echoMethod();
  const streaming = bytesMethod(unary.service);
  const limits = { reconnectWaitMs: 10_000, reconnectBackoff: { firstMs: 50, longestMs: 200 } };
  const server = await connectPeer({ natsUrl: nats.url, service: unary.service, limits });
  const client = await connectPeer({ ...caller, natsUrl: nats.url, limits });
  await server.serve(unary, ({ text }) => (text === 'hang' ? new Promise(() => {}) : { text }));
  let handlerEnd: unknown;
  await server.serveStream(streaming, async ({ signal }, _input, _body, answer) => {
    signal.addEventListener('abort', () => {
      handlerEnd = signal.reason;
    });
    answer.head({ status: 200 });
    for (;;) await answer.write(Buffer.alloc(1_000));
  });
  const hanging = client.request(unary, { text: 'hang' }, { timeoutMs: 20_000 });
  hanging.catch(() => {});
  const stream = await client.openStream(streaming, {});
  const lost = { name: 'RpcUnavailableError', reason: 'connection_lost', outcomeUnknown: true };

  await nats.stop();
  await expect(hanging).rejects.toMatchObject(lost);
  await expect(readAll(stream.body)).rejects.toMatchObject(lost);
  await expect(stream.trailer).rejects.toMatchObject(lost);
  await waitFor(() => handlerEnd);
  expect(handlerEnd).toMatchObject(lost);
  expect(client.status()).toMatchObject({ connected: false, pendingCalls: 0, openStreams: 0 });

  const waiting = client.request(unary, { text: 'after' }, { timeoutMs: 10_000 });
  waiting.catch(() => {});
  await ownServer(port);
  await expect(waiting.catch((error: { reason: string }) => error.reason)).resolves.toSatisfy(
    (answer: unknown) => answer === 'no_responders' || (answer as { text: string }).text === 'after',
  );
  await waitFor(() => server.status().connected);
  await waitFor(() => client.request(unary, { text: 'again' }));
  const again = await client.openStream(streaming, {});
  again.cancel();
});

test('without NATS a call fails as disconnected after the wait, and within its own deadline', async () => {
  const port = await freePort();
  const nats = await ownServer(port);
  const client = await connectPeer({ ...caller, natsUrl: nats.url, limits: { reconnectWaitMs: 100 } });
  await nats.stop();
  await waitFor(() => !client.status().connected);
  const refused = { name: 'RpcUnavailableError', reason: 'disconnected', outcomeUnknown: false };
  await expect(client.request(echoMethod(), { text: '' })).rejects.toMatchObject(refused);
  await expect(client.openStream(bytesMethod(), {})).rejects.toMatchObject(refused);
});

test('connecting waits for a NATS that has not started yet, and fails after its timeout', async () => {
  const port = await freePort();
  const natsLater = `nats://127.0.0.1:${port}`;
  const connecting = connectPeer({ ...caller, natsUrl: natsLater });
  await ownServer(port);
  expect((await connecting).status().connected).toBe(true);
  await expect(
    connectPeer({ ...caller, natsUrl: `nats://127.0.0.1:${await freePort()}`, limits: { connectTimeoutMs: 200 } }),
  ).rejects.toMatchObject({ reason: 'disconnected' });
});

test('a server process killed in the middle of a stream is detected within two keep-alive times', async () => {
  const method = bytesMethod();
  const client = await connectPeer({ ...caller, limits: { keepAliveMs: 200 } });
  const child = fork(join(import.meta.dirname, 'stream', 'test-server-process.ts'), [natsUrl, method.service]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.once('message', resolve));
  const stream = await client.openStream(method, {});
  let received = 0;
  const reading = (async () => {
    for await (const chunk of stream.body) {
      received += chunk.length;
      if (received > 50_000) child.kill('SIGKILL');
    }
  })();
  await expect(reading).rejects.toMatchObject({ name: 'RpcUnavailableError', reason: 'peer_lost' });
  expect(received).toBeGreaterThan(50_000);
  expect(client.status()).toMatchObject({ openStreams: 0, pendingCalls: 0 });
});

// If a network drops everything, NATS considers the peer alive for a long time: its subscription remains, so a probe is not bounced. Only its
// silence reveals the loss.
test.each(['opener', 'server'])('an unresponsive %s is detected by its silence', async (mute) => {
  const method = bytesMethod();
  const proxy = await faultProxy(natsUrl);
  onTestFinished(() => proxy.close());
  // Shorter than the default, and longer than a busy machine keeps a live peer silent.
  const limits = { keepAliveMs: 50, peerSilenceMsMax: 2_000 };
  const server = await connectPeer({
    natsUrl: mute === 'server' ? proxy.url : natsUrl,
    service: method.service,
    limits,
  });
  const client = await connectPeer({ ...caller, natsUrl: mute === 'opener' ? proxy.url : natsUrl, limits });
  let handlerEnd: unknown;
  await server.serveStream(method, async ({ signal }, _input, _body, answer) => {
    signal.addEventListener('abort', () => {
      handlerEnd = signal.reason;
    });
    answer.head({ status: 200 });
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    return { received: 0 };
  });
  const stream = await client.openStream(method, {});
  proxy.stall();
  await expect(stream.trailer).rejects.toMatchObject({ reason: 'peer_lost' });
  await waitFor(() => handlerEnd);
  expect(handlerEnd).toMatchObject({ reason: 'peer_lost' });
  proxy.resume();
});

test('a quiet stream between two live peers stays open', async () => {
  const method = bytesMethod();
  const limits = { keepAliveMs: 50, peerSilenceMsMax: 2_000 };
  const server = await connectPeer({ natsUrl, service: method.service, limits });
  const client = await connectPeer({ ...caller, limits });
  const goOn = Promise.withResolvers<void>();
  await server.serveStream(method, async (_context, _input, _body, answer) => {
    answer.head({ status: 200 });
    await goOn.promise;
    return { received: 0 };
  });
  const stream = await client.openStream(method, {});
  const sent = client.connection.stats().outMsgs;
  // In longer than a peer may be silent.
  const keptAliveMin = (1.5 * limits.peerSilenceMsMax) / limits.keepAliveMs;
  await waitFor(() => client.connection.stats().outMsgs - sent > keptAliveMin);
  goOn.resolve();
  await expect(stream.trailer).resolves.toEqual({ received: 0 });
});
