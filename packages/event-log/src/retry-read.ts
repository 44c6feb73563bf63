import { backoffMs, pause } from '@agent-trust/limits';
import { EventLogUnavailableError } from './errors.ts';
import { eventLogLimits } from './limits.ts';

/**
 * Retries a read that found the log unavailable, at most `readRetriesMax` times: a connection that broke while idle must not fail the next reader.
 */
export async function retryRead<Result>(read: () => Promise<Result>, closing: AbortSignal): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof EventLogUnavailableError) || retries >= eventLogLimits.readRetriesMax || closing.aborted)
        throw error;
      await pause(backoffMs(retries, eventLogLimits.reconnectBackoff), closing);
    }
  }
}
