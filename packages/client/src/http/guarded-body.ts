import { NetworkError, TimeoutError } from '../errors.ts';
import type { Deadline } from './deadline.ts';

/**
 * A body that is passed on as it arrives, read on demand. The caller's signal ends it, and so does silence while a reader waits; null if the answer
 * has no body.
 */
export function guardedBody(
  { body }: Response,
  about: { operation: string; deadline: Deadline; idleTimeoutMs: number; caller: AbortSignal | undefined },
): ReadableStream<Uint8Array> | null {
  const { operation, deadline, idleTimeoutMs, caller } = about;
  deadline.pause();
  if (body === null) {
    deadline.end();
    return null;
  }
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          deadline.restart(idleTimeoutMs);
          const { done, value } = await reader.read();
          deadline.pause();
          if (!done) return controller.enqueue(value);
          deadline.end();
          controller.close();
        } catch (cause) {
          deadline.end();
          if (caller?.aborted === true) controller.error(caller.reason);
          else if (deadline.hasPassed())
            controller.error(new TimeoutError(operation, idleTimeoutMs, 'nothing further'));
          else controller.error(new NetworkError(operation, 'the answer broke off', { cause }));
        }
      },
      cancel: async (reason) => {
        deadline.end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
