type StopSignal = 'SIGINT' | 'SIGTERM';
export type StopRequest = StopSignal | 'parent_ended';

/**
 * Listens for requests to stop: SIGINT, SIGTERM and, with `STACK_PARENT_PIPE=1`, the end of standard input, whose other end a supervisor holds as
 * long as it lives. One Ctrl-C reaches a child three times (SIGINT of the terminal, then SIGTERM and the end of the pipe from its supervisor): only a
 * repetition of the same signal means that the user does not want to wait.
 */
export function onStopRequests(handlers: {
  onFirst: (request: StopRequest) => void;
  /** Called when the same signal comes a second time. */
  onRepeated: (signal: StopSignal) => void;
  env: NodeJS.ProcessEnv;
}): void {
  const { onFirst, onRepeated, env } = handlers;
  const seen = new Set<StopRequest>();
  const note = (request: StopRequest): void => {
    const isFirst = seen.size === 0;
    const isRepeated = seen.has(request);
    seen.add(request);
    if (isFirst) onFirst(request);
    else if (isRepeated && request !== 'parent_ended') onRepeated(request);
  };
  process.on('SIGINT', () => note('SIGINT'));
  process.on('SIGTERM', () => note('SIGTERM'));
  if (env.STACK_PARENT_PIPE !== '1') return;
  const onEnd = (): void => note('parent_ended');
  process.stdin.on('end', onEnd).on('close', onEnd).on('error', onEnd).resume();
}

/** How long a user at a terminal waits, and how long a process may live on without its supervisor. */
const hurriedStopMsMax = 10_000;

/**
 * How long stopping may take: all of `stopTimeoutMs` after SIGTERM, by which orchestrators replace a process; less after Ctrl-C or the supervisor's
 * end.
 */
export function timeToStop(request: StopRequest, stopTimeoutMs: number): number {
  return request === 'SIGTERM' ? stopTimeoutMs : Math.min(stopTimeoutMs, hurriedStopMsMax);
}

/** Reserved for cutting off work that has not finished, for recording how it ended, and for closing connections. */
const cutOffMs = 4_000;

/** How long a stopping service may wait for the work under way. */
export function timeToDrain(timeoutMs: number): number {
  return Math.max(0, timeoutMs - cutOffMs);
}

export const exitCodes = {
  stopped: 0,
  /** Starting failed, an error was not handled, or stopping took longer than its deadline. */
  failed: 1,
  /** The settings are wrong; a restart without changing them is pointless (EX_CONFIG of sysexits.h). */
  wrongSettings: 78,
} as const;

/** Exit code of a process that was ended by a signal, as in shells. */
export function signalExitCode(signal: StopSignal): number {
  return 128 + { SIGINT: 2, SIGTERM: 15 }[signal];
}
