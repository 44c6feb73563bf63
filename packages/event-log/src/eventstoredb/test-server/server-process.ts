import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Faults } from './faults.ts';
import type { Calls, Tls } from './serve.ts';
import type { ProposedEvent, StoredEvent } from './store.ts';

/** What a test may ask of a server. */
export type Control = {
  calls: { args: []; result: Calls };
  events: { args: []; result: StoredEvent[] };
  /** Faults of the next calls. */
  fail: { args: [faults: Partial<Faults>]; result: void };
  /** An empty log, no faults, no calls counted. */
  reset: { args: []; result: void };
  /** The log as an older copy has it: with its first events alone. */
  keepFirst: { args: [count: number]; result: void };
  tombstone: { args: [stream: string]; result: void };
  append: { args: [stream: string, events: ProposedEvent[]]; result: void };
  endSubscriptions: { args: [how: 'error' | 'quietly']; result: number };
  /** Of a cluster's node: whether it is the leader, and how many events it has. */
  role: { args: []; result: { isLeader: boolean; events: number } };
  join: { args: [peers: { id: number; port: number; internalPort: number }[]]; result: void };
};

export type Asked = { id: number; method: keyof Control; args: unknown[] };
export type Answered = { id: number; result?: unknown; error?: string };

/** Where a node serves, and how it was told to. */
export type StartedNode = { port: number; internalPort: number };
export type NodeSettings = {
  port: number;
  cluster: { id: number; internalPort: number } | null;
  /** TLS, and users: at first the administrator alone. Absent: neither, and everybody may do everything. */
  security?: Tls & { adminPassword: string };
};

export type ServerProcess = {
  /** `esdb://` URL for the adapter, without a user. */
  url: string;
  port: number;
  internalPort: number;
  pid: number;
  ask<Method extends keyof Control>(
    method: Method,
    ...args: Control[Method]['args']
  ): Promise<Control[Method]['result']>;
  /** Sends a signal; resolves when the process has ended, if the signal ends it. */
  signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  close(): Promise<void>;
};

/** Starts a server in a process of its own: one that shares its client's event loop answers at other moments than a real one. */
export async function startServerProcess(settings: NodeSettings = { port: 0, cluster: null }): Promise<ServerProcess> {
  const child = fork(new URL('./main.ts', import.meta.url), [JSON.stringify(settings)], {
    serialization: 'advanced',
    execArgv: [],
    // A debugger or coverage of the test runner is not this process's.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [started] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the test server ended with ${String(code)} before it was ready`);
    }),
  ])) as [StartedNode];
  const ask = controlOf(child);
  const ended = once(child, 'exit');
  return {
    url: `esdb://127.0.0.1:${started.port}?tls=${settings.security !== undefined}`,
    ...started,
    pid: child.pid ?? 0,
    ask,
    signal: async (signal) => {
      child.kill(signal);
      if (signal === 'SIGKILL' || signal === 'SIGTERM') await ended;
    },
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}

const controlOf = (child: ChildProcess): ServerProcess['ask'] => {
  const waiting = new Map<number, (answer: Answered) => void>();
  let last = 0;
  child.on('message', (message) => {
    const answer = message as Answered;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  return (method, ...args) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, ({ result, error }) =>
        error === undefined ? resolve(result as never) : reject(new Error(error)),
      );
      const asked: Asked = { id: last, method, args };
      child.send(asked, (failure) => {
        if (failure !== null) reject(failure);
      });
    });
};
