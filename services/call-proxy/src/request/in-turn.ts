import { setImmediate as nextRound } from 'node:timers/promises';
import { DomainError } from '@agent-trust/contracts';

/** Messages up to this are planned as they come. */
export const shortMessageBytesMax = 256 * 1024;

/** Who waits for a turn, and for how long. */
export type TurnWait = {
  callerAgentId: string;
  /** Ends the wait of a caller that has left. */
  signal: AbortSignal;
  waitMsMax: number;
};

/** The one queue of this process, which has one event loop: turns that are waited for, by caller, in the order in which callers come next. */
const waiting = new Map<string, Set<() => void>>();
let isTaken = false;

/**
 * Does what makes values of a message. Ten MiB of it can be 140 MB as values and take a second or two, so of long messages one is looked at
 * at a time, and between two of them whatever else waits in this process has its turn: signs of life for other calls among it. Callers
 * take turns, each with its messages in the order in which they came, so who sends many waits for them itself.
 *
 * @throws DomainError overloaded when the turn has not come in time; the signal's reason. Nothing was done then.
 */
export async function inTurn<Result>(message: Uint8Array, wait: TurnWait, work: () => Result): Promise<Result> {
  wait.signal.throwIfAborted();
  if (message.byteLength <= shortMessageBytesMax) return work();
  await turn(wait);
  try {
    wait.signal.throwIfAborted();
    return work();
  } finally {
    void passOn();
  }
}

const turn = async ({ callerAgentId, signal, waitMsMax }: TurnWait): Promise<void> => {
  if (!isTaken) {
    isTaken = true;
    await nextRound();
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const begin = (): void => {
      stopWaiting();
      resolve();
    };
    const leave = (error: unknown): void => {
      stopWaiting();
      remove(callerAgentId, begin);
      reject(error as Error);
    };
    const onAbort = (): void => leave(signal.reason);
    const timer = setTimeout(() => leave(tooManyWaiting()), waitMsMax);
    signal.addEventListener('abort', onAbort);
    const turns = waiting.get(callerAgentId) ?? new Set();
    waiting.set(callerAgentId, turns.add(begin));
  });
};

const passOn = async (): Promise<void> => {
  await nextRound();
  for (const [callerAgentId, turns] of waiting) {
    for (const begin of turns) {
      remove(callerAgentId, begin);
      if (waiting.delete(callerAgentId)) waiting.set(callerAgentId, turns);
      begin();
      return;
    }
  }
  isTaken = false;
};

const remove = (callerAgentId: string, begin: () => void): void => {
  const turns = waiting.get(callerAgentId);
  turns?.delete(begin);
  if (turns?.size === 0) waiting.delete(callerAgentId);
};

const tooManyWaiting = (): DomainError =>
  new DomainError(
    'overloaded',
    'More long messages are waiting than can be made ready in time; nothing was sent, try again in a moment.',
  );
