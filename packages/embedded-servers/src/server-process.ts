import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { withFallback } from '@agent-trust/limits';

const logBytesMax = 5_000_000;
const logTailBytes = 1_500;

/** A server of another program, started and owned by this process. */
export interface ServerProcess {
  readonly pid: number;
  /** Settles (never rejects) with a text such as `exit code 1` or `signal SIGKILL` when the process has ended. */
  readonly exited: Promise<string>;
  readonly hasExited: () => boolean;
  /** Sends each signal in turn, waiting `waitMs` after each; ends with SIGKILL. Safe to call twice. */
  readonly stop: () => Promise<void>;
}

export interface RunningServer extends Pick<ServerProcess, 'pid' | 'exited' | 'stop'> {
  readonly url: string;
  readonly port: number;
}

interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  readonly logFile: string;
  readonly stopSignals: readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[];
  /** Run as this user (only root may do that). */
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  /** Keeps the right to traverse folders that the user could not enter. */
  readonly passClosedFolders?: boolean;
}

let setprivWorks: boolean | undefined;

/** `setpriv` (util-linux) can make the kernel signal a child when its parent dies, which Node cannot. */
const hasSetpriv = (): boolean => {
  setprivWorks ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--pdeathsig', 'TERM', '--', 'true'], { stdio: 'ignore', timeout: 5_000 }).status === 0;
  return setprivWorks;
};

const withDeathSignal = (server: ServerCommand): Pick<ServerCommand, 'command' | 'args' | 'uid' | 'gid'> => {
  if (!hasSetpriv()) return server;
  const args = ['--pdeathsig', (server.stopSignals[0]?.signal ?? 'SIGTERM').slice(3)];
  if (server.uid !== undefined) {
    args.push('--reuid', String(server.uid), '--regid', String(server.gid ?? server.uid), '--clear-groups');
    if (server.passClosedFolders === true) {
      // Without no_setuid_fixup, access(2) ignores the capability and initdb does not find its own program.
      args.push('--securebits', '+no_setuid_fixup', '--inh-caps', '+dac_override', '--ambient-caps', '+dac_override');
    }
  }
  return { command: 'setpriv', args: [...args, '--', server.command, ...server.args] };
};

const openLog = (logFile: string): number => {
  try {
    if (statSync(logFile).size > logBytesMax) renameSync(logFile, `${logFile}.1`);
  } catch {
    // No log yet.
  }
  return openSync(logFile, 'a', 0o600);
};

export function logTail(logFile: string): string {
  try {
    return readFileSync(logFile, 'utf8').slice(-logTailBytes).trim();
  } catch {
    return '';
  }
}

/**
 * Starts a server in its own process group, so that Ctrl-C reaches only its owner, which stops it in order. On Linux it also ends if its owner is
 * killed.
 */
export function spawnServer(server: ServerCommand): ServerProcess {
  const { command, args, uid, gid } = withDeathSignal(server);
  const log = openLog(server.logFile);
  let child: ChildProcess;
  try {
    const { env, cwd } = server;
    child = spawn(command, args, { env, cwd, uid, gid, stdio: ['ignore', log, log], detached: true });
  } finally {
    closeSync(log);
  }
  let hasEnded = false;
  const exited = new Promise<string>((resolve) => {
    const settle = (reason: string): void => {
      hasEnded = true;
      resolve(reason);
    };
    child.once('error', (error) => settle(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => settle(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });

  const stop = async (): Promise<void> => {
    for (const { signal, waitMs } of [...server.stopSignals, { signal: 'SIGKILL' as const, waitMs: 5_000 }]) {
      if (hasEnded) return;
      child.kill(signal);
      await withFallback(exited, waitMs, () => null);
    }
  };
  return { pid: child.pid ?? -1, exited, hasExited: () => hasEnded, stop };
}

const orphanStopWaitMs = 15_000;
const pollMs = 25;
const readyPollMs = 15;

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

/** Waits until a server is ready; false if it ended before that, or was not ready in time. */
export async function becomesReady(
  { hasExited }: ServerProcess,
  isReady: () => boolean | Promise<boolean>,
  waitMs: number,
): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (!hasExited() && Date.now() < deadline) {
    // Another program may listen on the port: it is this server only while its process lives.
    if ((await isReady()) && !hasExited()) return true;
    await delay(readyPollMs);
  }
  return false;
}

/**
 * State letter and start time (in the kernel's clock ticks) of a process, as Linux shows them; null where they cannot be read. The start time tells a
 * process from a later one with the same id.
 */
export function processStat(pid: number): { state: string; began: string } | null {
  try {
    // The name in parentheses may contain spaces; the state follows it, and the start time is the 20th field from there.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', began: fields[19] ?? '' };
  } catch {
    return null;
  }
}

/** Whether a process runs. A zombie does not: it has ended, and waits for a parent that may never ask how. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !['Z', 'X'].includes(processStat(pid)?.state ?? '');
}

/**
 * Ends a server that an earlier owner left behind when it was killed. The system reuses ids, so the command line of the process in the pid file must
 * contain `mark`.
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
