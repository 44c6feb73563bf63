import type { OperationsStatus } from '@agent-trust/client';
import { describe, expect, it } from 'vitest';
import { faultsOf, partsOf } from './parts.ts';

const ok = { status: 'ok' } as const;
const followed = { status: 'ok', position: '10', head_position: '10', lag: 0 } as const;
const healthy: OperationsStatus = {
  checked_at: '2026-01-16T08:00:13.000Z',
  health: {
    status: 'ok',
    database: ok,
    event_log: ok,
    message_bus: ok,
    jetstream: ok,
    registry_write: ok,
    projection: followed,
  },
  instances: [],
  services_missing: [],
  lag_seconds: 0,
  poison_event: null,
  checkpoint: { size: 10, signed_at: '2026-01-16T07:59:58.120Z', fault: null, witnessed_at: null },
  witnesses: [],
  webhooks: { webhooks: 0, disabled: 0, behind: 0, pending: 0, oldest_pending_at: null, dead_letters: 0 },
  replay: null,
};

describe('the faults of an installation', () => {
  it('are none where all is well', () => {
    expect(faultsOf(healthy)).toEqual([]);
    expect(partsOf(healthy.health).map(({ name }) => name)).not.toContain('Log record');
  });

  it('name each part, service and event', () => {
    expect(
      faultsOf({
        ...healthy,
        health: { ...healthy.health, event_log: { status: 'down', detail: 'cannot be asked' } },
        services_missing: ['pay-proxy'],
        poison_event: { position: '7', message: 'is unknown', instance_id: 'trust-projection-1' },
      }),
    ).toEqual([
      'Event log: down, cannot be asked.',
      'No instance of pay-proxy has answered.',
      'The read models stopped at position 7: is unknown.',
    ]);
  });

  it('begin with a witness that contradicts the log, and end with one that cannot be read', () => {
    const witness = { size: null, cosigned_at: null };
    expect(
      faultsOf({
        ...healthy,
        witnesses: [
          { ...witness, name: 'w1', contradicts_log: false, fault: 'cannot be read: its address answered 404' },
          { ...witness, name: 'w2', contradicts_log: true, fault: 'has cosigned another tree of 2 events' },
          { ...witness, name: 'w3', contradicts_log: false, fault: null },
        ],
        services_missing: ['pay-proxy'],
      }),
    ).toEqual([
      "The log's witness w2 has cosigned another tree of 2 events.",
      'No instance of pay-proxy has answered.',
      "The log's witness w1 cannot be read: its address answered 404.",
    ]);
  });
});
