import { OutboundError } from '@agent-trust/safe-fetch';
import { createLogger } from '@agent-trust/service-kit';
import { describe, expect, it } from 'vitest';
import { relayFailure } from './relay-payment.ts';

const logger = createLogger({ service: 'pay-proxy', instanceId: 'test', level: 'silent' });

describe('a payment without an answer', () => {
  it('does not count against the agent if the registry lacked capacity', () => {
    for (const error of [
      new OutboundError('timeout', 'lookup_queue_timeout'),
      new OutboundError('unreachable', 'too_many_lookups'),
    ]) {
      expect(relayFailure(error, logger, 'c')).toMatchObject({
        code: 'unavailable',
        detail: expect.stringContaining('The agent did not get it') as unknown,
      });
    }
  });

  it('counts against an agent that was silent', () => {
    expect(relayFailure(new OutboundError('timeout', 'lookup_timeout'), logger, 'c')).toMatchObject({
      code: 'downstream_failed',
      detail: 'The agent did not answer in time.',
    });
  });
});
