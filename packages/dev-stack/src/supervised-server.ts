import type { RunningServer } from '@agent-trust/embedded-servers';
import { backoffMs, pause } from '@agent-trust/limits';
import { oneLine } from './stack-error.ts';

const restarts = { firstMs: 50, longestMs: 10_000, jitter: 0 };
/** Everything waits for a server, so the pauses before its restarts stay short: a full disk that was freed must not be waited for much longer. */
const serverRestartMsMax = 2_000;
/** A probe during which this process stood still for `lateMs` says little about the server, so it takes more of them. */
const probes = { everyMs: 1_000, failuresMax: 3, lateMs: 500, withLateMax: 10 };
const tickMs = 50;
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

/** Measures from now on; the returned function ends that, with the longest time for which this process stood still, in ms. */
const watchStandstill = (): (() => number) => {
  let tickedAt = performance.now();
  let longestMs = 0;
  const tick = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - tickedAt);
    tickedAt = now;
  };
  const timer = setInterval(tick, tickMs);
  return () => {
    clearInterval(timer);
    tick();
    return longestMs;
  };
};

export interface SupervisedServer {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly pid: () => number | undefined;
  readonly restarts: () => number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server and restarts it on the same port until stopped. Rejects if the first start, without a port, fails.
 *
 * @param answers whether the server works, for one that may stall without ending: it is asked every `probes.everyMs`, and killed when it has not
 *   answered a few times in a row, in which this process did not stand still itself. It never rejects, and ends within its own time.
 */
export async function superviseServer(
  name: string,
  start: (port: number | undefined) => Promise<RunningServer>,
  onEvent: (line: string) => void,
  answers?: (server: RunningServer) => Promise<boolean>,
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
        const delayMs = Math.min(serverRestartMsMax, backoff(Date.now() - began));
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
  const probing = answers === undefined ? Promise.resolve() : probe(answers);

  async function probe(hasAnswered: NonNullable<typeof answers>): Promise<void> {
    let failures = { inTime: 0, late: 0 };
    let probed: RunningServer | undefined;
    while (await pause(probes.everyMs, stopping.signal)) {
      const asked = current;
      if (asked !== probed) failures = { inTime: 0, late: 0 };
      probed = asked;
      if (asked === undefined) continue;
      const standstillMs = watchStandstill();
      const answered = await hasAnswered(asked);
      const isLate = standstillMs() >= probes.lateMs;
      if (answered) failures = { inTime: 0, late: 0 };
      else failures[isLate ? 'late' : 'inTime'] += 1;
      const isStuck = failures.inTime >= probes.failuresMax || failures.inTime + failures.late >= probes.withLateMax;
      if (!isStuck || current !== asked || stopping.signal.aborted) continue;
      onEvent(`${name} does not answer; ending it`);
      // A server that is stuck does not take any other signal.
      process.kill(asked.pid, 'SIGKILL');
      await asked.exited;
    }
  }

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
      await probing;
    },
  };
}
