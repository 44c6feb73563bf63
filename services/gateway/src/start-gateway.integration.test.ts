import { request } from 'node:http';
import { executeCall, getAgent, getStatus } from '@agent-trust/contracts';
import { startNatsServer } from '@agent-trust/embedded-servers';
import { waitFor, startRunTime } from '@agent-trust/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentKey, publicAgent } from './testing/agents.ts';
import { type GatewayUnderTest, post, startGatewayUnderTest } from './testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeEach(async () => {
  under = await startGatewayUnderTest();
});
afterEach(() => under.stop());

describe('stopping', () => {
  it('finishes running requests and accepts no new ones', async () => {
    const gate = Promise.withResolvers<void>();
    under.bus.answer(getAgent, async () => {
      await gate.promise;
      return { agent: publicAgent() };
    });
    const running = post(`${under.url}/verify`, { agent_id: 'receiver' });
    await waitFor(() => under.bus.inputsOf(getAgent).length === 1);
    const stopped = under.stopGateway();
    await waitFor(() =>
      fetch(`${under.url}/openapi.json`).then(
        () => false,
        () => true,
      ),
    );
    gate.resolve();
    const tookMs = startRunTime();
    expect((await running).status).toBe(200);
    await stopped;
    // The client's connection is kept alive; it must not keep the service alive.
    expect(tookMs()).toBeLessThan(4_000);
  });
});

describe('an unreachable bus', () => {
  it('causes a 503 with the known facts, and the gateway continues', async () => {
    await under.bus.close();
    const response = await post(`${under.url}/verify`, { agent_id: 'receiver' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('nothing was done') as unknown,
    });
    const call = await post(
      `${under.url}/call`,
      { caller_agent_id: 'caller', agent_id: 'receiver', message: {} },
      { authorization: `Bearer ${agentKey}` },
    );
    expect(call.status).toBe(503);
    expect((await fetch(`${under.url}/health`)).status).toBe(503);
    expect((await fetch(`${under.url}/openapi.json`)).status).toBe(200);
  });

  it('shows in /health, and recovers', async () => {
    const nats = await startNatsServer();
    await under.stop();
    under = await startGatewayUnderTest({ NATS_URL: nats.url });
    const ok = { status: 'ok' } as const;
    under.bus.answer(getStatus, () => ({
      database: ok,
      eventLog: ok,
      projection: { ...ok, position: null, headPosition: null, lag: null },
    }));
    expect((await fetch(`${under.url}/health`)).status).toBe(200);
    await nats.stop();
    await waitFor(async () => {
      const body = (await (await fetch(`${under.url}/health`)).json()) as { message_bus: { status: string } };
      return body.message_bus.status === 'down';
    });
    const again = await startNatsServer({ port: nats.port });
    await waitFor(async () => (await fetch(`${under.url}/health`)).status === 200);
    await under.stopGateway();
    await again.stop();
  });
});

// Bug: calls accumulate until memory is exhausted. Method: the maximum number of slow calls, one more, then capacity again when they end.
describe('concurrent calls', () => {
  it('are limited, and their capacity is released', async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    under.bus.answerStream(executeCall, async (_input, _body, answer) => {
      running += 1;
      await gate.promise;
      answer.head({
        transactionId: 't',
        statusCode: 200,
        responseHeaders: {},
        contentType: null,
        streaming: false,
        mcpSessionId: null,
      });
      return { position: null, fallbackAgentId: null };
    });
    const text = JSON.stringify({ caller_agent_id: 'caller', agent_id: 'receiver', message: {} });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${agentKey}` };
    const call = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const outgoing = request(`${under.url}/call`, { method: 'POST', headers, agent: false }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        });
        outgoing.on('error', reject).end(text);
      });
    const { CALLS_PER_CALLER_MAX: callsMax } = under.gateway.settings;
    const held = Array.from({ length: callsMax }, call);
    await waitFor(() => running === callsMax);
    const more = Array.from({ length: 10 }, call);
    expect(await Promise.all(more)).toEqual(more.map(() => 429));
    gate.resolve();
    expect(await Promise.all(held)).toEqual(held.map(() => 200));
    expect(await call()).toBe(200);
  });
});
