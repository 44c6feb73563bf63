import { spawn } from 'node:child_process';
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

const sleepingServer = (): RunningServer => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const exited = new Promise<string>((resolve) => child.once('exit', (_code, signal) => resolve(`signal ${signal}`)));
  const stop = async (): Promise<void> => {
    child.kill();
    await exited;
  };
  return { url: 'nats://127.0.0.1:4222', port: 4222, pid: child.pid ?? -1, exited, stop };
};

// Bug: a server that is stuck stays so until somebody kills it. Method: a process that never answers, in a server's place, and one that does.
it('kills a server that runs and does not answer, and starts another', async () => {
  const started: RunningServer[] = [];
  const events: string[] = [];
  const start = (): Promise<RunningServer> => {
    const server = sleepingServer();
    started.push(server);
    return Promise.resolve(server);
  };
  const answers = (server: RunningServer): Promise<boolean> => Promise.resolve(server !== started[0]);
  const supervised = await superviseServer('server', start, (line) => void events.push(line), answers);
  expect(await started[0]?.exited).toBe('signal SIGKILL');
  await expect.poll(() => events.at(-1), { timeout: 5_000 }).toBe('server is back');
  expect(supervised.pid()).toBe(started[1]?.pid);
  expect(events).toEqual([
    'server does not answer; ending it',
    'server ended (signal SIGKILL); starting it again',
    'server is back',
  ]);
  await supervised.stop();
  expect(started.length).toBe(2);
});

// Bug: a machine that stood still has a sound server killed, because no answer came to the process that asked.
it('kills no server for answers that did not come while it stood still itself', async () => {
  const events: string[] = [];
  let asked = 0;
  const answers = (): Promise<boolean> => {
    asked += 1;
    const isLate = asked <= 4;
    for (const until = performance.now() + 700; isLate && performance.now() < until; );
    // As an answer does, a timeout comes in a later turn.
    return nextTurn(!isLate);
  };
  const supervised = await superviseServer(
    'server',
    () => Promise.resolve(sleepingServer()),
    (line) => void events.push(line),
    answers,
  );
  await expect.poll(() => asked, { timeout: 60_000 }).toBeGreaterThan(4);
  await supervised.stop();
  expect(events).toEqual([]);
  expect(supervised.restarts()).toBe(0);
});
