import type { StopSignal } from './stop-requests.ts';

/** Exit codes of a service. */
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
