import type { RunnerStatus } from '@agent-trust/projections';
import { describe, expect, it, vi } from 'vitest';
import { followerStatus, statusMethods, type StatusParts } from './status.ts';

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

// Bug: whoever asks for GET /health a thousand times a second has three statements executed for each, and readers wait for connections.
describe('the state of the registry', () => {
  it('is found out once for all who ask at the same time, and anew for who asks later', async () => {
    const queries = vi.fn(() => Promise.resolve([{ position: 5n }]));
    const follower = { status: () => ({ ...stopped, poison: null, error: null }), database: { query: queries } };
    const { getStatus } = statusMethods({
      log: { headPosition: () => Promise.resolve(5n) },
      readModels: follower,
      logRecord: follower,
      logFault: () => null,
    } as unknown as StatusParts);
    const answers = await Promise.all(Array.from({ length: 50 }, getStatus));
    expect(answers.every(({ database, projection }) => database.status === 'ok' && projection.lag === 0)).toBe(true);
    const once = queries.mock.calls.length;
    expect(once).toBeLessThanOrEqual(2);
    await getStatus();
    expect(queries.mock.calls.length).toBe(2 * once);
  });
});
