import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const orphanStopWaitMs = 15_000;
const pollMs = 25;

/** The command line of a live process, or `undefined` if there is none with that id. */
export function commandLineOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return undefined;
    }
  }
  const result = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8', timeout: 5_000 });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Ends a server that an earlier owner left behind when it was killed. The id comes from a pid file; the system reuses ids, so only a process whose
 * command line contains `mark` is ended, and a pid file of anything else is removed as stale.
 */
export async function endOrphan(pidFile: string, mark: string, signal: NodeJS.Signals): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (!(pid > 1) || commandLineOf(pid)?.includes(mark) !== true) {
    rmSync(pidFile, { force: true });
    return;
  }
  process.kill(pid, signal);
  const deadline = Date.now() + orphanStopWaitMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await delay(pollMs);
  }
  rmSync(pidFile, { force: true });
}
