/** Bug: a payment is given up before its proxy gives up (the proxy's side: `pay-proxy/src/relay-waits.test.ts`). */
import { relayBodySendMs, relayOverheadMs } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import type { Gateway } from '../../gateway.ts';
import { edgeLimits } from '../../limits.ts';
import { openRelay } from './open-relay.ts';

async function* bytes(): AsyncGenerator<Uint8Array> {}

it.each([
  ['without a body', undefined, 0],
  ['with a body that is here', { bytes: bytes(), isStillComing: false }, 0],
  ['with a body that is still to come', { bytes: bytes(), isStillComing: true }, relayBodySendMs],
])('waits for a payment %s as long as its proxy may take', async (_what, body, bodyMs) => {
  const openStream = vi.fn((_method: unknown, _input: unknown, _options: unknown) => Promise.resolve());
  const gateway = {
    rpc: { openStream },
    settings: { CALL_TIMEOUT_MS: 7 },
    anonymousIdOf: (client: string) => `digest of ${client}`,
  } as unknown as Gateway;
  const request = { method: 'POST', headers: {}, id: 'id', ip: '::ffff:192.0.2.7' } as unknown as FastifyRequest;
  const reply = { raw: new EventEmitter() } as unknown as FastifyReply;
  const payment = { agentId: 'a', payer: null, callerAgentId: null, callRef: null, query: '', body };
  await openRelay(gateway, request, reply, payment);
  const [, input, options] = openStream.mock.lastCall ?? [];
  expect(options).toMatchObject({ headTimeoutMs: 7 + relayOverheadMs + bodyMs });
  expect(input).toMatchObject({ anonymousId: 'digest of 192.0.2.7' });
});

it('a body has the same timeout as in every request', () => {
  expect(relayBodySendMs).toBeGreaterThanOrEqual(edgeLimits.requestTimeoutMs);
});
