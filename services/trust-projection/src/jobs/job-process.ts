import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { jobLimits } from './limits.ts';

/** Variables that the process of a job gets: none of the service's secrets but the addresses that it needs. */
const isPassedOn = (name: string): boolean => /^(?:PATH|HOME|TZ|LANG|TMPDIR|NODE_.*|PG.*|SSL_CERT_.*)$/u.test(name);

/** How a process ended: whether a signal or a fault of the start ended it, and what it said last. */
export type JobEnd = { isKilled: boolean; description: string; said: string };

/** A process of this instance's jobs of one kind: one at a time. */
export type JobProcess = ReturnType<typeof jobProcess>;

/** Runs a command of the service in processes of its own, so that its memory and its work are not the service's. */
export function jobProcess(command: string) {
  let child: ChildProcess | null = null;
  return {
    /** Resolves when the process has ended. */
    run: async (args: readonly string[], variables: Readonly<Record<string, string>>): Promise<JobEnd> => {
      const passedOn = Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassedOn(name)));
      const started = spawn(process.execPath, [command, ...args], {
        env: { ...passedOn, ...variables },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child = started;
      let said = '';
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-jobLimits.errorCharsMax);
      });
      // After 'error' there may be no 'close'.
      const end = await Promise.race([
        once(started, 'close').then(([code, signal]) => ({
          isKilled: code === null,
          description: `its process ended with ${String(code ?? signal)}`,
        })),
        once(started, 'error').then(([error]) => ({
          isKilled: false,
          description: `its process could not be started: ${String(error)}`,
        })),
      ]);
      if (child === started) child = null;
      return { ...end, said: said.trim() };
    },
    /** Asks the process to stop, and kills it if it takes too long. */
    stop: async (): Promise<void> => {
      const running = child;
      if (running === null) return;
      running.kill('SIGTERM');
      const ended = new AbortController();
      await Promise.race([
        once(running, 'close'),
        delay(jobLimits.stopMsMax, undefined, { signal: ended.signal }).catch(() => undefined),
      ]);
      ended.abort();
      running.kill('SIGKILL');
    },
  };
}
