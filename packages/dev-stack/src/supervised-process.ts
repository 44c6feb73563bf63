import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { pause } from '@agent-trust/limits';
import { restartBackoff } from './supervised-server.ts';
import { lineSplitter, LogFile, prettyLine } from './service-log.ts';
import { StackError } from './stack-error.ts';

/** Exit code of a service whose settings are wrong: a restart is pointless. */
const wrongSettingsExitCode = 78;
const firstStartAttemptsMax = 3;
const readyPollMs = 40;
const readyWaitMs = 75_000;
/** Services end by themselves within their own deadline of 10 s; this is for one that does not. */
const stopWaitMs = 12_000;
const lastLinesKept = 5;

interface ProcessPlan {
  /** Unique in the stack, e.g. `call-proxy-2`. */
  readonly name: string;
  readonly service: string;
  readonly args: readonly string[];
  readonly logFile: string;
  /** Called for each start: environment, and a check whether the process is ready. Must end soon when the signal aborts. */
  readonly prepare: (stopping: AbortSignal) => Promise<{
    readonly env: NodeJS.ProcessEnv;
    readonly isReady: () => Promise<boolean>;
    readonly isStarting?: () => Promise<boolean>;
  }>;
  readonly onEvent: (line: string) => void;
  readonly onLine: (line: string) => void;
}

export interface SupervisedProcess {
  readonly name: string;
  readonly service: string;
  readonly pid: () => number | undefined;
  readonly restarts: () => number;
  readonly isReady: () => boolean;
  /** Settles when it is ready for the first time; rejects with StackError if it cannot be started. */
  readonly firstReady: Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Runs a Node program and restarts it until stopped. It ends with this process too, by its standard input (`STACK_PARENT_PIPE=1`). It has its own
 * process group, so Ctrl-C reaches only the supervisor.
 */
export function superviseProcess(plan: ProcessPlan): SupervisedProcess {
  const log = new LogFile(plan.logFile);
  const backoff = restartBackoff();
  const stopping = new AbortController();
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  let child: ChildProcess | undefined;
  let starts = 0;
  let everReady = false;
  let readyNow = false;
  let lastLines: string[] = [];

  const onLines = (lines: string[]): void => {
    lastLines = [...lastLines, ...lines.slice(-lastLinesKept)].slice(-lastLinesKept);
    log.write(`${lines.join('\n')}\n`);
    for (const line of lines) plan.onLine(line);
  };

  const spawnOne = (env: NodeJS.ProcessEnv): ChildProcess => {
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...plan.args], {
      env: { ...env, STACK_PARENT_PIPE: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    started.stdin?.on('error', () => undefined);
    started.stdout?.setEncoding('utf8').on('data', lineSplitter(onLines));
    started.stderr?.setEncoding('utf8').on('data', lineSplitter(onLines));
    return started;
  };

  const pollReady = async (
    { isReady, isStarting = () => Promise.resolve(false) }: Awaited<ReturnType<typeof plan.prepare>>,
    ended: Promise<unknown>,
  ): Promise<void> => {
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    let deadline = Date.now() + readyWaitMs;
    while (!hasEnded) {
      if ((await isReady()) && !hasEnded) {
        readyNow = true;
        if (everReady) plan.onEvent(`${plan.name} is back`);
        everReady = true;
        ready.resolve();
        return;
      }
      await delay(readyPollMs);
      if (Date.now() < deadline) continue;
      // A service watches its own start: one that says that it starts is not stuck.
      if (!(await isStarting())) break;
      deadline = Date.now() + readyWaitMs;
    }
    // Neither ready nor ended: treat it as crashed.
    if (!hasEnded) child?.kill('SIGKILL');
  };

  const lastLine = (): string => {
    const line = lastLines.at(-1);
    return line === undefined ? 'no output' : (prettyLine(plan.service, line, 'trace', false) ?? line);
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const prepared = await plan.prepare(stopping.signal);
      if (stopping.signal.aborted) break;
      starts += 1;
      lastLines = [];
      const began = Date.now();
      const current = spawnOne(prepared.env);
      child = current;
      const ended = new Promise<{ code: number | null; reason: string }>((resolve) => {
        current.once('error', (error) => resolve({ code: null, reason: error.message }));
        current.once('close', (code, signal) =>
          resolve({ code, reason: signal === null ? `exit code ${code}` : `signal ${signal}` }),
        );
      });
      void pollReady(prepared, ended);
      const { code, reason } = await ended;
      child = undefined;
      readyNow = false;
      if (stopping.signal.aborted) break;
      if (!everReady && (code === wrongSettingsExitCode || starts >= firstStartAttemptsMax)) {
        const failure = `${plan.name} does not start (${reason}): ${lastLine()} (log: ${plan.logFile})`;
        ready.reject(new StackError(code === wrongSettingsExitCode ? lastLines.join(' ') : failure));
        return;
      }
      const delayMs = backoff(Date.now() - began);
      const when = delayMs >= 1_000 ? ` in ${delayMs / 1_000} s: ${lastLine()}` : '';
      plan.onEvent(`${plan.name} ended (${reason}); starting it again${when}`);
      await pause(delayMs, stopping.signal);
    }
  };
  const running = loop().catch((error: unknown) => ready.reject(error));

  const stop = async (): Promise<void> => {
    if (!stopping.signal.aborted) {
      stopping.abort();
      ready.reject(new StackError(`${plan.name} was stopped before it was ready`));
      // The whole stack is stopping, and SIGTERM would let calls and streams run as long as they may.
      child?.kill('SIGINT');
      const killer = setTimeout(() => child?.kill('SIGKILL'), stopWaitMs);
      await running;
      clearTimeout(killer);
      log.close();
    }
    await running;
  };

  return {
    name: plan.name,
    service: plan.service,
    pid: () => child?.pid,
    restarts: () => Math.max(0, starts - 1),
    isReady: () => readyNow,
    firstReady: ready.promise,
    kill: (signal) => {
      child?.kill(signal);
    },
    stop,
  };
}
