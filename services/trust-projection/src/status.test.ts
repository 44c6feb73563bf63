import type { RunnerStatus } from '@agent-trust/projections';
import { describe, expect, it } from 'vitest';
import { followerStatus } from './status.ts';

const poison = {
  position: 620n,
  eventId: 'e',
  type: 'TrustPolicyActivated',
  projection: 'trust-policy',
  message: 'no',
};
const stopped: RunnerStatus = { state: 'retrying', position: 619n, error: 'no', poison };
const statusOf = (status: RunnerStatus, position: bigint | null, head: bigint | null): object =>
  followerStatus({ status: () => status }, { value: position }, { value: head });

describe('the status of a follower of the log', () => {
  it('is down at an event that stops it', () => {
    expect(statusOf(stopped, 619n, 620n)).toMatchObject({
      status: 'down',
      detail: 'stopped at position 620: no',
      lag: 1,
    });
    expect(statusOf(stopped, null, 620n)).toMatchObject({ status: 'down', position: null });
  });

  // Bug: during its runner's pause, up to ten seconds, it was down although a switch had been finished.
  it('is no longer down once a replay got past that event', () => {
    expect(statusOf(stopped, 620n, 620n)).toEqual({ status: 'ok', position: '620', headPosition: '620', lag: 0 });
    expect(statusOf(stopped, 620n, 1_620n)).toMatchObject({ status: 'degraded', detail: 'behind the event log' });
  });

  it('is degraded by any other fault', () => {
    const interrupted: RunnerStatus = { ...stopped, poison: null };
    expect(statusOf(interrupted, 620n, 620n)).toMatchObject({ status: 'degraded', detail: 'no' });
    expect(statusOf({ ...interrupted, error: null }, 620n, 620n)).toMatchObject({ status: 'ok' });
  });
});
