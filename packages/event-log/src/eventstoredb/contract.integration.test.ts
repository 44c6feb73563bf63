import { expect, test } from 'vitest';
import { eventLogContract } from '../contract-suite/index.ts';
import { openEventStoreDbEventLog } from './event-log.ts';
import { openEventStoreDbRetention } from './retention.ts';
import { realServer } from './test-server/real-server.ts';
import { startSecuredServer } from './test-server/secured-server.ts';
import { startServerProcess } from './test-server/server-process.ts';

eventLogContract('EventStoreDB, a stand-in in a process of its own', async () => {
  const server = await startServerProcess();
  return {
    open: () => openEventStoreDbEventLog(server.url),
    openRetention: () => openEventStoreDbRetention(server.url),
    cutSubscriptions: () => server.ask('endSubscriptions', 'error'),
    stop: () => server.close(),
  };
});

eventLogContract('EventStoreDB, a stand-in with TLS and users', async () => {
  const secured = await startSecuredServer();
  await secured.setUpUsers();
  // No user of the registry may append to streams and remove them.
  const groups = ['registry-readers', 'registry-writers', 'registry-retention'];
  await secured.asAdmin('POST', '/users/', { loginName: 'contract', fullName: '', groups, password: 'pw-of-contract' });
  const url = secured.urlFor('contract');
  return {
    open: () => openEventStoreDbEventLog(url),
    openRetention: () => openEventStoreDbRetention(url),
    cutSubscriptions: () => secured.server.ask('endSubscriptions', 'error'),
    stop: () => secured.close(),
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
