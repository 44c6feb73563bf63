/**
 * Bug: a component between agent and caller buffers a stream before it passes it on, or keeps reading after the caller has disconnected.
 * Method: the agent sends its next event only after the caller has confirmed the last one, so a buffered stream never ends; and the agent
 * reports when its own connection closes.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { waitFor } from '@agent-trust/test-kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { allEvents } from '../support/secrets-at-rest.ts';
import { type Body, createOrg, gateways, join, type Member, processes, review, stack, verify } from '../support/ask.ts';
import { type RecordingAgent, type Respond, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage } from '../support/registry.ts';
import { callTimeoutMs } from '../support/stack-waits.ts';

let caller: Member;
let agent: RecordingAgent;
let respond: Respond;
beforeAll(async () => {
  caller = await join((await createOrg()).key);
  agent = await startRecordingAgent((...all) => respond(...all));
  return () => agent.stop();
});

const target = async (fields: Body = {}): Promise<string> =>
  (await join({}, { endpoint_url: agent.url, ...fields })).agentId;

const openStream = async (agentId: string, options: { signal?: AbortSignal; message?: Body } = {}): Promise<Response> =>
  fetch(`${gateways[0]}/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...caller.auth },
    body: JSON.stringify({
      caller_agent_id: caller.agentId,
      agent_id: agentId,
      message: options.message ?? textMessage('go', 'message/stream'),
    }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });

const startEvents = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

describe('a streamed call', () => {
  it.each([{}, { a2a_compliant: true }, { message_protocol: 'raw' }, { message_protocol: 'mcp' }])(
    'delivers each event before the next one is sent: %j',
    async (fields) => {
      const received: string[] = [];
      respond = async (_request, response) => {
        startEvents(response);
        for (const event of ['one', 'two', 'three']) {
          response.write(`data: ${event}\n\n`);
          await waitFor(() => received.join('').includes(event), { description: `the caller has event ${event}` });
        }
        response.end();
      };
      const agentId = await target(fields);
      const answer = await openStream(agentId);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/u);
      expect(answer.headers.get('x-registry-transaction-id')).toMatch(/^.{8,}$/u);
      expect(answer.headers.get('x-registry-status-code')).toBe('200');
      expect(answer.headers.get('x-request-id')).not.toBeNull();
      for await (const chunk of answer.body ?? []) received.push(Buffer.from(chunk).toString());
      expect(received.join('')).toBe('data: one\n\ndata: two\n\ndata: three\n\n');
      // The end of the stream means that the exchange is recorded and can be reviewed.
      expect((await verify(agentId)).body['transaction_count']).toBe(1);
      const reviewed = await review(caller, agentId, {
        transaction_id: answer.headers.get('x-registry-transaction-id'),
      });
      expect(reviewed.status).toBe(200);
    },
  );

  it('the headers precede the first event', async () => {
    let release: () => void = () => undefined;
    respond = (_request, response) => {
      startEvents(response).flushHeaders();
      release = () => void response.end('data: late\n\n');
    };
    const answer = await openStream(await target());
    expect(answer.status).toBe(200);
    release();
    expect(await answer.text()).toBe('data: late\n\n');
  });

  it('a plain JSON answer becomes one event', async () => {
    respond = respondJson(200, { jsonrpc: '2.0', result: 'é😀' });
    const answer = await openStream(await target({ a2a_compliant: true }));
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/u);
    expect(await answer.text()).toBe('data: {"jsonrpc":"2.0","result":"é😀"}\n\n');
  });

  it('a payment demand is in the headers too, as in x402 v2', async () => {
    const demand = Buffer.from(JSON.stringify({ x402Version: 2, resource: { url: agent.url } })).toString('base64');
    respond = respondJson(402, {}, { 'payment-required': demand, 'retry-after': '3' });
    const agentId = await target();
    const answer = await openStream(agentId);
    expect([answer.headers.get('x-registry-status-code'), answer.headers.get('retry-after')]).toEqual(['402', '3']);
    const shown = Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString();
    expect(JSON.parse(shown)).toMatchObject({
      resource: { url: expect.stringContaining(`/pay/${agentId}`) as string },
    });
    await answer.text();
  });

  it('refusals and failures before the first byte are ordinary errors', async () => {
    respond = (_request, response) => void response.destroy();
    const answer = await openStream(await target());
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({
      code: 'downstream_failed',
      transaction_id: expect.any(String) as string,
    });
    expect((await openStream('nobody at all')).status).toBe(404);
  });

  it('an agent that breaks off breaks the answer, so that no caller takes it for complete, and does not count', async () => {
    respond = (_request, response) => void startEvents(response).write('data: half\n\n', () => response.destroy());
    const agentId = await target();
    const answer = await openStream(agentId);
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of answer.body ?? []) seen.push(Buffer.from(chunk).toString());
    };
    await expect(read()).rejects.toThrow('terminated');
    expect(seen.join('')).toBe('data: half\n\n');
    expect((await review(caller, agentId, { success: false, score: 2 })).status).toBe(200);
    expect((await verify(agentId)).body['transaction_count']).toBe(0);
  });

  it('100,000 events arrive complete and in order', async () => {
    const count = 100_000;
    respond = async (_request, response) => {
      startEvents(response);
      for (let index = 0; index < count; index += 1)
        if (!response.write(`data: ${index}\n\n`)) await once(response, 'drain');
      response.end();
    };
    const text = await (await openStream(await target())).text();
    expect(text).toBe(Array.from({ length: count }, (_, index) => `data: ${index}\n\n`).join(''));
  });
});

describe('a caller that disconnects', () => {
  const endOf = async (transactionId: string): Promise<string | undefined> => {
    for await (const event of allEvents(stack.eventLogUrl))
      if (event.stream === `exchange-${transactionId}` && event.type !== 'ExchangeStarted')
        return `${event.type} ${JSON.stringify(event.data['reason'])}`;
    return undefined;
  };

  it("cancels the agent's request in the middle of a stream, and the exchange records it", async () => {
    const closed = Promise.withResolvers<void>();
    respond = (_request, response) => {
      response.once('close', () => closed.resolve());
      startEvents(response).write('data: one\n\n');
    };
    const leaving = new AbortController();
    const answer = await openStream(await target(), { signal: leaving.signal });
    const transactionId = String(answer.headers.get('x-registry-transaction-id'));
    await answer.body?.getReader().read();
    leaving.abort();
    await closed.promise;
    expect(await waitFor(() => endOf(transactionId), { description: 'the end of the exchange' })).toBe(
      'ExchangeFailed "cancelled"',
    );
  });

  it.each(['message/stream', 'message/send'])(
    'cancels the request to an agent that has not answered yet: %s',
    async (method) => {
      const [received, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      respond = (_request, response) => {
        response.once('close', () => closed.resolve());
        received.resolve();
      };
      const leaving = new AbortController();
      const answer = openStream(await target(), { signal: leaving.signal, message: textMessage('x', method) });
      await received.promise;
      const left = performance.now();
      leaving.abort();
      await expect(answer).rejects.toThrow('aborted');
      await closed.promise;
      // Not only at the timeout of the call.
      expect(performance.now() - left).toBeLessThan(0.8 * callTimeoutMs);
    },
  );

  it('does not end any process', async () => {
    expect((await processes()).filter(({ restarts }) => restarts > 0)).toEqual([]);
  });
});

it('a caller that does not read stops the agent, whose events wait at the agent', async () => {
  const chunk = `data: ${'x'.repeat(64 * 1024 - 8)}\n\n`;
  let written = 0;
  let blocked = Promise.withResolvers<void>();
  respond = async (_request, response) => {
    startEvents(response);
    // Without flow control the agent would send 256 MiB.
    for (let index = 0; index < 4_096 && !response.destroyed; index += 1) {
      written += chunk.length;
      if (!response.write(chunk)) {
        const timer = setTimeout(() => blocked.resolve(), 1_000);
        const waited = new AbortController();
        const { signal } = waited;
        await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
        waited.abort();
        clearTimeout(timer);
      }
    }
    response.end();
    blocked.resolve();
  };
  const leaving = new AbortController();
  const answer = await openStream(await target(), { signal: leaving.signal });
  expect(answer.status).toBe(200);
  await blocked.promise;
  expect(written).toBeLessThan(64 * 1024 * 1024);
  blocked = Promise.withResolvers<void>();
  leaving.abort();
});
