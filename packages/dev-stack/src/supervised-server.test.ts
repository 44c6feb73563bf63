import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { RunningServer } from '@agent-trust/embedded-servers';
import { superviseServer } from './supervised-server.ts';

const fakeServer = (): RunningServer & { readonly end: (reason: string) => void } => {
  const exited = Promise.withResolvers<string>();
  return {
    url: 'nats://127.0.0.1:4222',
    port: 4222,
    pid: 1,
    exited: exited.promise,
    end: exited.resolve,
    stop: () => Promise.resolve(exited.resolve('stopped')),
  };
};

it('restarts a server on its port, and stops one that is just starting', async () => {
  const first = fakeServer();
  const second = fakeServer();
  const restart = Promise.withResolvers<RunningServer>();
  const isRestarting = Promise.withResolvers<number | undefined>();
  const supervised = await superviseServer(
    'server',
    (port) => {
      if (port === undefined) return Promise.resolve(first);
      isRestarting.resolve(port);
      return restart.promise;
    },
    () => undefined,
  );
  first.end('signal SIGKILL');
  expect(await isRestarting.promise).toBe(4222);
  const stopped = supervised.stop();
  await nextTurn();
  restart.resolve(second);
  await stopped;
  expect(await second.exited).toBe('stopped');
  expect(supervised.restarts()).toBe(1);
});

it('stops a running server', async () => {
  const only = fakeServer();
  const supervised = await superviseServer(
    'server',
    () => Promise.resolve(only),
    () => undefined,
  );
  await supervised.stop();
  expect(await only.exited).toBe('stopped');
});
