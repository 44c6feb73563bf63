/**
 * Bug: the gateway gives a payment up while its proxy still waits for the agent or records the settlement, so the payer does not get what it paid
 * for. Method: the gateway waits for the sum of `relayWaitsMs` (tested in `pay/open-relay.test.ts`), so the test collects each wait of a relayed
 * payment and compares it with its part of the sum, including waits that other packages limit.
 */
import {
  getCallTarget,
  getExchangeParties,
  production,
  relayBodySendMs,
  relayMarginMs,
  relayOverheadMs,
  relayWaitsMs,
} from '@agent-trust/contracts';
import { OutboundError, type RequestTimeouts } from '@agent-trust/safe-fetch';
import { type ProxyDeps, proxyLimits } from '@agent-trust/proxy-kit';
import { expect, it } from 'vitest';
import type { PayContext, PayInput } from './payment.ts';
import { relayPayment } from './relay-payment.ts';

const callTimeoutMs = 30_000;

/** The waits of one payment, by their purpose. */
const waitsOf = async (over: Partial<PayInput>): Promise<{ lookups: Map<unknown, number>; headMs: number }> => {
  const lookups = new Map<unknown, number>();
  let timeouts: RequestTimeouts | undefined;
  const deps = {
    rpc: {
      request: (method: unknown, _input: unknown, options: { timeoutMs: number }) => {
        lookups.set(method, options.timeoutMs);
        const parties = { callerAgentId: 'caller', receiverAgentId: 'seller', universe: production, callerBlock: null };
        return Promise.resolve({ parties, target: { endpointUrl: 'http://agent.test/', orgId: null, block: null } });
      },
    },
    replica: { read: async (_key: string, ask: () => Promise<{ value: unknown }>) => (await ask()).value },
    guard: { enter: () => ({ answered: () => {}, failed: () => {}, leave: () => {} }) },
    logger: { info: () => {} },
    baseUrl: 'https://registry.test',
    callTimeoutMs,
    safeFetch: (_url: string, options: { timeouts: RequestTimeouts }) => {
      timeouts = options.timeouts;
      return Promise.reject(new OutboundError('timeout', 'headers_timeout'));
    },
  } as unknown as ProxyDeps;
  const input: PayInput = {
    agentId: 'seller',
    method: 'GET',
    payer: null,
    anonymousId: null,
    callerAgentId: null,
    callRef: 'a-call',
    query: '',
    headers: {},
    hasBody: false,
    ...over,
  };
  async function* body(): AsyncGenerator<Uint8Array> {
    if (input.hasBody) yield Buffer.from('x');
  }
  const { signal } = new AbortController();
  const context: PayContext = { correlationId: 'r', traceparent: undefined, signal, onOver: () => undefined };
  await expect(relayPayment(deps, input, body(), context)).rejects.toMatchObject({ code: 'downstream_failed' });
  return { lookups, headMs: timeouts?.headMs ?? Number.NaN };
};

it.each([
  ['without a body', { hasBody: false }, 0],
  // The most that a gateway reads before it opens a relay.
  ['with a body that is here', { hasBody: true, headers: { 'content-length': String(64 * 1024) } }, 0],
  ['with a body of no known length', { hasBody: true }, relayBodySendMs],
  ['with a long body', { hasBody: true, headers: { 'content-length': '10000000' } }, relayBodySendMs],
])('a payment %s takes no longer than its gateway waits', async (_what, over, bodyMs) => {
  const { lookups, headMs } = await waitsOf({ method: over.hasBody ? 'POST' : 'GET', ...over });
  expect([...lookups]).toEqual([
    [getExchangeParties, relayWaitsMs.partiesLookup],
    [getCallTarget, relayWaitsMs.targetLookup],
  ]);
  expect(headMs).toBe(callTimeoutMs + bodyMs);
  expect(proxyLimits.demandTimeoutMs).toBeLessThanOrEqual(relayWaitsMs.demandLookup);
  expect(proxyLimits.demandTimeoutMs).toBeLessThanOrEqual(relayWaitsMs.demandKeep);
  expect(proxyLimits.recordTimeoutMs + proxyLimits.outboxTimeoutMs).toBeLessThanOrEqual(relayWaitsMs.settlementRecord);
});

it("all waits together are the gateway's wait beyond the agent's time", () => {
  const sum = Object.values(relayWaitsMs).reduce((one, other) => one + other, 0);
  expect(relayOverheadMs).toBe(sum + relayMarginMs);
});
