import { expect, test } from 'vitest';
import { eventLogContract } from '../contract-suite/index.ts';
import { openEventStoreDbEventLog } from './event-log.ts';
import { realServer } from './test-server/real-server.ts';
import { startTestServer } from './test-server/server.ts';

eventLogContract('EventStoreDB, a server in memory', async () => {
  const server = await startTestServer();
  return {
    open: () => openEventStoreDbEventLog(server.url),
    cutSubscriptions: () => Promise.resolve(server.endSubscriptions('error')),
    stop: () => server.close(),
  };
});

const real = await realServer();
if ('url' in real) {
  eventLogContract('EventStoreDB, a real server', () =>
    Promise.resolve({ open: () => openEventStoreDbEventLog(real.url), stop: real.stop }),
  );
} else {
  test('event log contract: EventStoreDB, a real server', ({ skip }) => {
    skip(real.absent);
    expect(real).toHaveProperty('url');
  });
}
