export type StopSignal = 'SIGINT' | 'SIGTERM';
export type StopRequest = StopSignal | 'parent_ended';

export type StopRequestHandlers = {
  /** Called once, for the first request of any kind. */
  onFirst: (request: StopRequest) => void;
  /** Called when the same signal comes a second time. */
  onRepeated: (signal: StopSignal) => void;
  env: NodeJS.ProcessEnv;
};

/**
 * Listens for requests to stop this process: SIGINT, SIGTERM and, with `STACK_PARENT_PIPE=1`, the end of standard input. A supervisor holds the other
 * end of that pipe open as long as it lives, so its children end with it even if it is killed.
 *
 * One Ctrl-C reaches a child three times (SIGINT of the terminal, SIGTERM and the end of the pipe from its supervisor): only a repetition of the same
 * signal means that the user does not want to wait.
 */
export function onStopRequests({ onFirst, onRepeated, env }: StopRequestHandlers): void {
  const seen = new Set<StopRequest>();
  const hear = (request: StopRequest): void => {
    const isFirst = seen.size === 0;
    const isRepeated = seen.has(request);
    seen.add(request);
    if (isFirst) onFirst(request);
    else if (isRepeated && request !== 'parent_ended') onRepeated(request);
  };
  process.on('SIGINT', () => hear('SIGINT'));
  process.on('SIGTERM', () => hear('SIGTERM'));
  if (env.STACK_PARENT_PIPE !== '1') return;
  const onEnd = (): void => hear('parent_ended');
  process.stdin.on('end', onEnd).on('close', onEnd).on('error', onEnd).resume();
}
