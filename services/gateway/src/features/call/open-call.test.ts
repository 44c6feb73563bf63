import { callOverheadMs, production } from '@agent-trust/contracts';
import { asText } from '@agent-trust/json-text';
import type { FastifyRequest } from 'fastify';
import { expect, it, vi } from 'vitest';
import type { Gateway } from '../../gateway.ts';
import { callMsMax, openCall } from './open-call.ts';

it('waits for a call as long as its proxy may take', async () => {
  const openStream = vi.fn((_method: unknown, _input: unknown, _options: unknown) => Promise.resolve());
  const gateway = { rpc: { openStream }, settings: { CALL_TIMEOUT_MS: 7 } } as unknown as Gateway;
  const request = { headers: {}, id: 'id' } as unknown as FastifyRequest;
  await openCall(
    gateway,
    request,
    { agentId: 'a', universe: production, orgId: null } as Parameters<typeof openCall>[2],
    { kind: 'agent', id: 'a', credentials: [] },
    { caller_agent_id: 'a', agent_id: 'b', message: asText(Buffer.from('{}')) },
    { commandId: null, earlierCommandId: null, signal: new AbortController().signal },
  );
  expect(openStream.mock.lastCall?.[2]).toMatchObject({ headTimeoutMs: 7 + callOverheadMs });
  expect(callMsMax(gateway)).toBe(7 + callOverheadMs);
});
