import type { FeedMessage, Position } from '../messages.ts';
import { Watermark } from '../watermark.ts';

/** Nobody has said in time that a position is visible. The write at it stands. */
export class NotVisibleError extends Error {
  readonly reason: 'timeout' | 'too_many_waiting' | 'closed';

  constructor(reason: NotVisibleError['reason'], position: Position) {
    super(`no leader has said that position ${position} is visible (${reason})`);
    this.name = 'NotVisibleError';
    this.reason = reason;
  }
}

type Writer = { settle: (failed: NotVisibleError['reason'] | null) => void };

/** The writers of a process that wait until their writes are visible, by what the feed says. */
export type Writers = {
  /** Takes a message of any epoch: a leader publishes only what is committed, and what was visible stays visible. */
  takeFeed: (message: FeedMessage) => void;
  /** @throws NotVisibleError */
  untilVisible: (position: Position, timeoutMs: number) => Promise<void>;
  close(): void;
};

export function createWriters(): Writers {
  const watermark = new Watermark<Writer>();
  const waiting = new Set<Writer>();
  let isClosed = false;
  const reached = (position: Position): void => {
    for (const writer of watermark.published(position)) writer.settle(null);
  };
  return {
    takeFeed: (message) => {
      if (message.kind === 'watermark') reached(message.position);
      // Repairs a watermark that was lost.
      else if (message.kind === 'heartbeat') reached(message.watermark);
    },
    untilVisible: (position, timeoutMs) => {
      if (isClosed) return Promise.reject(new NotVisibleError('closed', position));
      return new Promise((resolve, reject) => {
        const writer: Writer = {
          settle: (failed) => {
            clearTimeout(timer);
            waiting.delete(writer);
            watermark.giveUp(writer);
            if (failed === null) resolve();
            else reject(new NotVisibleError(failed, position));
          },
        };
        const timer = setTimeout(() => writer.settle('timeout'), timeoutMs);
        const found = watermark.wait(writer, position);
        if (found === 'waiting') waiting.add(writer);
        else writer.settle(found === 'visible' ? null : 'too_many_waiting');
      });
    },
    close: () => {
      isClosed = true;
      for (const writer of waiting) writer.settle('closed');
    },
  };
}
