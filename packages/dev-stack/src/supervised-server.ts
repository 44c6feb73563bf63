import type { RunningServer } from '@agent-trust/embedded-servers';
import { backoffMs, pause } from '@agent-trust/limits';
import { oneLine } from './stack-error.ts';

const restarts = { firstMs: 50, longestMs: 10_000, jitter: 0 };
/** A crash after this long counts as a first one. */
const soundAfterMs = 30_000;

/** The wait before each restart of a process, in ms, by how long it lived: twice the last one, from the first one again after a sound run. */
export function restartBackoff(): (livedMs: number) => number {
  let failures = 0;
  return (livedMs) => {
    if (livedMs >= soundAfterMs) failures = 0;
    return backoffMs(failures++, restarts);
  };
}

export interface SupervisedServer {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly pid: () => number | undefined;
  readonly restarts: () => number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly stop: () => Promise<void>;
}

/** Starts a server and restarts it on the same port until stopped. Rejects if the first start, without a port, fails. */
export async function superviseServer(
  name: string,
  start: (port: number | undefined) => Promise<RunningServer>,
  onEvent: (line: string) => void,
): Promise<SupervisedServer> {
  const first = await start(undefined);
  const stopping = new AbortController();
  const backoff = restartBackoff();
  let current: RunningServer | undefined = first;
  let restarts = 0;

  const loop = async (): Promise<void> => {
    let began = Date.now();
    while (current !== undefined) {
      let reason = await current.exited;
      current = undefined;
      while (current === undefined && !stopping.signal.aborted) {
        const delayMs = backoff(Date.now() - began);
        onEvent(`${name} ended (${reason}); starting it again`);
        if (!(await pause(delayMs, stopping.signal))) return;
        began = Date.now();
        restarts += 1;
        try {
          current = await start(first.port);
          if (stopping.signal.aborted) return await current.stop();
          onEvent(`${name} is back`);
        } catch (error) {
          reason = oneLine(error);
        }
      }
    }
  };
  const running = loop();

  return {
    name,
    url: first.url,
    port: first.port,
    pid: () => current?.pid,
    restarts: () => restarts,
    kill: (signal) => {
      if (current !== undefined) process.kill(current.pid, signal);
    },
    stop: async () => {
      stopping.abort();
      await current?.stop();
      // A start that is under way ends first; the loop then stops what it started.
      await running;
    },
  };
}
