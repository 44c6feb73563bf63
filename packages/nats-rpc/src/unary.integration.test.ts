import { expect, inject, test } from 'vitest';
import { waitFor } from '@agent-trust/test-kit';
import {
  RpcCancelledError,
  RpcInternalError,
  RpcPayloadTooLargeError,
  RpcProtocolError,
  RpcRefusal,
  RpcRefusedError,
} from './errors.ts';
import { connectPeer, echoMethod, recordingLogger } from './test-peers.ts';

const natsUrl = inject('natsUrl');
const caller = { natsUrl, service: 'caller' };

test('the answer arrives, and the handler gets the caller, the actor and the deadline', async () => {
  const method = echoMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  const seen: unknown[] = [];
  await server.serve(method, (input, context) => {
    seen.push(
      context.correlationId,
      context.actor,
      context.requester,
      context.remainingMs() <= 7_000,
      context.traceparent,
    );
    return { text: input.text.toUpperCase() };
  });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const answer = await client.request(
    method,
    { text: 'grüße 🛰' },
    { timeoutMs: 7_000, correlationId: 'request-1', actor: { kind: 'agent', id: 'Ä\n💡' }, traceparent },
  );
  expect(answer).toEqual({ text: 'GRÜSSE 🛰' });
  expect(seen).toEqual(['request-1', { kind: 'agent', id: 'Ä\n💡' }, 'caller', true, traceparent]);
});

test('a missing service is reported at once, not by a timeout', async () => {
  const method = echoMethod();
  const client = await connectPeer(caller);
  // Longer than a test may take.
  await expect(client.request(method, { text: '' }, { timeoutMs: 600_000 })).rejects.toMatchObject({
    name: 'RpcUnavailableError',
    reason: 'no_responders',
    outcomeUnknown: false,
  });
});

test('the deadline ends the caller’s wait and the handler’s work', async () => {
  const method = echoMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  let abortedBy: unknown;
  await server.serve(method, async (_input, { signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    abortedBy = signal.reason;
    return { text: 'too late' };
  });
  await expect(client.request(method, { text: '' }, { timeoutMs: 1_000 })).rejects.toMatchObject({
    name: 'RpcTimeoutError',
    phase: 'answer',
    timeoutMs: 1_000,
  });
  await waitFor(() => abortedBy);
  expect(abortedBy).toMatchObject({ name: 'RpcTimeoutError' });
  await waitFor(() => server.status().runningHandlers === 0);
  expect(client.status().pendingCalls).toBe(0);
});

test('work of others in the same turn of the event loop takes no time from a call', async () => {
  const method = echoMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  await server.serve(method, ({ text }) => ({ text }));
  const timeoutMs = 1_500;
  const answer = client.request(method, { text: 'on time' }, { timeoutMs });
  for (const endsAt = performance.now() + 1.5 * timeoutMs; performance.now() < endsAt; );
  await expect(answer).resolves.toEqual({ text: 'on time' });
});

test('a refusal keeps its code, detail, data and status; toRefusal converts one of another package', async () => {
  const method = echoMethod();
  class DomainError extends Error {
    readonly code = 'agent_not_found';
  }
  const server = await connectPeer({
    natsUrl,
    service: method.service,
    toRefusal: (error) => (error instanceof DomainError ? { code: error.code, detail: error.message } : null),
  });
  const client = await connectPeer(caller);
  await server.serve(method, ({ text }) => {
    if (text === 'domain') throw new DomainError("no agent 'x'");
    throw new RpcRefusal('taken', 'the name is taken', { data: { name: text }, status: 409 });
  });
  await expect(client.request(method, { text: 'n' })).rejects.toMatchObject({
    name: 'RpcRefusedError',
    code: 'taken',
    detail: 'the name is taken',
    data: { name: 'n' },
    status: 409,
  });
  const domain = await client.request(method, { text: 'domain' }).catch((error: unknown) => error);
  expect(domain).toBeInstanceOf(RpcRefusedError);
  expect(domain).toMatchObject({ code: 'agent_not_found', detail: "no agent 'x'" });
});

test('a failure is logged with the correlation id, and the caller gets no details', async () => {
  const method = echoMethod();
  const logger = recordingLogger();
  const server = await connectPeer({ natsUrl, service: method.service, logger });
  const client = await connectPeer(caller);
  await server.serve(method, () => {
    throw new Error('password=hunter2');
  });
  const error = await client.request(method, { text: '' }, { correlationId: 'c-9' }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(RpcInternalError);
  expect(JSON.stringify(error) + String(error)).not.toContain('hunter2');
  const line = logger.lines.find(({ level }) => level === 'error');
  expect(line?.fields['request_id']).toBe('c-9');
  expect(String(line?.fields['err'])).toContain('hunter2');
});

test('each served call is logged for debugging, by the id of the request and without its input', async () => {
  const method = echoMethod();
  const logger = recordingLogger();
  const server = await connectPeer({ natsUrl, service: method.service, logger });
  const client = await connectPeer(caller);
  await server.serve(method, ({ text }) => ({ text }));
  await client.request(method, { text: 'hunter2' }, { correlationId: 'c-10' });
  const { service } = method;
  expect(logger.lines.filter(({ level }) => level === 'debug')).toEqual([
    {
      level: 'debug',
      fields: { service, method: method.method, requester: caller.service, request_id: 'c-10' },
      message: 'serving a call',
    },
  ]);
  expect(logger.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
});

test('invalid input and answers are reported as such', async () => {
  const method = echoMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  await server.serve(method, ({ text }) => (text === 'bad' ? ({ text: 1 } as unknown as { text: string }) : { text }));
  await expect(client.request(method, { text: 2 as unknown as string })).rejects.toThrow(/input: text/);
  await expect(client.request(method, { text: 'bad' })).rejects.toBeInstanceOf(RpcProtocolError);
  await expect(client.request(method, { text: 'good' })).resolves.toEqual({ text: 'good' });
});

test('a payload above the limit of NATS is refused in both directions, at once', async () => {
  const method = echoMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  const bytesMax = client.connection.info?.max_payload ?? 0;
  await server.serve(method, ({ text }) => ({ text: text.repeat(bytesMax) }));
  await expect(client.request(method, { text: 'x'.repeat(bytesMax) })).rejects.toBeInstanceOf(RpcPayloadTooLargeError);
  await expect(client.request(method, { text: 'y' })).rejects.toMatchObject({ code: 'payload_too_large', bytesMax });
});

test('calls beyond the handler limit are answered overloaded, and permits are released', async () => {
  const method = echoMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  const gate = Promise.withResolvers<void>();
  await server.serve(
    method,
    async ({ text }) => {
      await gate.promise;
      return { text };
    },
    { concurrentMax: 2 },
  );
  const calls = ['a', 'b', 'c'].map((text) =>
    client.request(method, { text }).then(
      () => 'answered',
      (error: { reason: string }) => error.reason,
    ),
  );
  await expect(calls[2]).resolves.toBe('overloaded');
  gate.resolve();
  await expect(Promise.all(calls)).resolves.toEqual(['answered', 'answered', 'overloaded']);
  await expect(client.request(method, { text: 'd' })).resolves.toEqual({ text: 'd' });
});

test('the table of pending calls is limited, and a signal removes a call from it', async () => {
  const method = echoMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer({ ...caller, limits: { pendingRequestsMax: 1 } });
  await server.serve(method, () => new Promise(() => {}));
  const abort = new AbortController();
  const first = client.request(method, { text: '' }, { signal: abort.signal, timeoutMs: 60_000 });
  await expect(client.request(method, { text: '' })).rejects.toMatchObject({ reason: 'too_many_calls' });
  abort.abort();
  await expect(first).rejects.toBeInstanceOf(RpcCancelledError);
  expect(client.status().pendingCalls).toBe(0);
  await expect(client.request(method, { text: '' }, { signal: abort.signal })).rejects.toBeInstanceOf(
    RpcCancelledError,
  );
});

test('instances of a service share the calls; a draining one finishes its calls and accepts no new ones', async () => {
  const method = echoMethod();
  const [one, two] = await Promise.all([0, 1].map(() => connectPeer({ natsUrl, service: method.service })));
  const client = await connectPeer(caller);
  const gate = Promise.withResolvers<void>();
  let atOne = 0;
  await one?.serve(method, async () => {
    atOne += 1;
    await gate.promise;
    return { text: 'one' };
  });
  const running = client.request(method, { text: '' });
  await waitFor(() => atOne === 1);
  await two?.serve(method, () => ({ text: 'two' }));
  const drained = one?.drain();
  // The server has processed the unsubscription once it answers this.
  await one?.connection.flush();
  const later = await Promise.all(Array.from({ length: 50 }, () => client.request(method, { text: '' })));
  expect(new Set(later.map(({ text }) => text))).toEqual(new Set(['two']));
  gate.resolve();
  await drained;
  await expect(running).resolves.toEqual({ text: 'one' });
  await one?.close();
});

test('five thousand concurrent calls each get their own answer', async () => {
  const method = echoMethod();
  const server = await connectPeer({ natsUrl, service: method.service });
  const client = await connectPeer(caller);
  await server.serve(method, async ({ text }) => ({ text }), { concurrentMax: 5_000 });
  const texts = Array.from({ length: 5_000 }, (_, index) => `${index}`);
  const answers = await Promise.all(texts.map((text) => client.request(method, { text }, { timeoutMs: 60_000 })));
  expect(answers.map(({ text }) => text)).toEqual(texts);
});
