import type { StopSignal } from './stop-requests.ts';

/** How a service ends. */
export const exitCodes = {
  stopped: 0,
  /** Starting failed, an error was not handled, or stopping took longer than its deadline. */
  failed: 1,
  /** The settings are wrong; starting again without changing them is pointless (EX_CONFIG of sysexits.h). */
  wrongSettings: 78,
} as const;

/** Exit code of a process that a signal ends, by the convention of shells. */
export function signalExitCode(signal: StopSignal): number {
  return 128 + { SIGINT: 2, SIGTERM: 15 }[signal];
}
