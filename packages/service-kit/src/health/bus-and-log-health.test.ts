import { expect, it } from 'vitest';
import { busAndLogHealth } from './health-report.ts';

const bus = (connected: boolean) => ({ status: () => ({ connected, runningHandlers: 2 }) });

it('is ok while both answer, and reports the position of the log', async () => {
  const report = await busAndLogHealth({ bus: bus(true), log: { headPosition: async () => 2n ** 60n } });
  expect(report).toEqual({
    status: 'ok',
    parts: {
      message_bus: { status: 'ok', running_handlers: 2 },
      event_log: { status: 'ok', head_position: String(2n ** 60n) },
    },
  });
});

it('is down without the bus or the log, and names the missing part', async () => {
  const unreachable = { headPosition: () => Promise.reject(new Error('connection refused')) };
  expect(await busAndLogHealth({ bus: bus(true), log: unreachable })).toMatchObject({
    status: 'down',
    parts: { message_bus: { status: 'ok' }, event_log: { status: 'down', detail: 'connection refused' } },
  });
  expect(await busAndLogHealth({ bus: bus(false), log: { headPosition: async () => null } })).toMatchObject({
    status: 'down',
    parts: { message_bus: { status: 'down' }, event_log: { status: 'ok', head_position: null } },
  });
});
