/** Bug: a call or payment that reached its agent takes no part of the limit, because its answer failed or its sender left. */
import { DomainError, type ErrorCode } from '@agent-trust/contracts';
import { RpcCancelledError, RpcRefusedError, RpcTimeoutError, RpcUnavailableError } from '@agent-trust/nats-rpc';
import { expect, it } from 'vitest';
import { countedIfDone } from './counted.ts';

const refused = (code: ErrorCode) => new RpcRefusedError({ code, detail: 'x', data: undefined, status: undefined });
const countsAfter = async (error: unknown): Promise<{ counts: boolean; failed: number }> => {
  const seen = { counts: true, failed: 0 };
  const admitted = {
    giveBack: () => {
      seen.counts = false;
    },
    failed: () => {
      seen.failed += 1;
    },
  };
  await expect(countedIfDone(admitted, () => Promise.reject(error))).rejects.toBe(error);
  return seen;
};

it.each([
  ['an agent that did not answer', refused('downstream_failed')],
  ['an exchange whose end is not on record', refused('unavailable')],
  ['readers that are behind', new DomainError('read_model_behind', 'x')],
  ['an answer that is too large', new DomainError('payload_too_large', 'x')],
  ['a body that breaks off while it is passed on', new DomainError('malformed_request', 'x')],
  ['a sender that left', new RpcCancelledError('x')],
  ['no answer in time', new RpcTimeoutError('answer', 1, 'x')],
  ['a service that was lost on the way', new RpcUnavailableError('peer_lost', 'x')],
  ['a fault', new Error('x')],
])('counts after %s', async (_what, error) => {
  expect(await countsAfter(error)).toEqual({ counts: true, failed: 1 });
});

it.each<ErrorCode>(['agent_not_found', 'caller_mismatch', 'target_busy', 'target_unavailable', 'agent_id_taken'])(
  'does not count after %s, before which nothing was sent',
  async (code) => {
    expect(await countsAfter(refused(code))).toEqual({ counts: false, failed: 1 });
  },
);
