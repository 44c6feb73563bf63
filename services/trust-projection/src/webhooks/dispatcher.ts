import { setTimeout as delay } from 'node:timers/promises';
import { counter } from '@agent-trust/metrics';
import type { CheckpointWatcher } from '@agent-trust/projections';
import type { Logger } from '@agent-trust/service-kit';
import {
  type Attempt,
  attemptDelivery,
  type AttemptParts,
  retryDelayMs,
  type RetrySettings,
} from './delivery/attempt.ts';
import { createUnderWay } from './delivery/under-way.ts';
import { webhookLimits } from './limits.ts';
import { fillOutbox, notFilled } from './outbox/fill-outbox.ts';
import type { OutboxSession } from './outbox/session.ts';

import * as outbox from './outbox/deliveries.ts';

export type DispatcherParts = Omit<AttemptParts, 'now'> & {
  watcher: CheckpointWatcher;
  logger: Logger;
  retry: RetrySettings;
  attemptsMax: number;
};

const attemptsMade = counter('registry.webhooks.attempts');

const now = (): Date => new Date();

/** Fills the outbox and sends due messages until `stopping`, or until the session is lost. Sleeps while there is nothing to do. */
export async function dispatch(parts: DispatcherParts, session: OutboxSession, stopping: AbortSignal): Promise<void> {
  const { watcher, logger } = parts;
  const underWay = createUnderWay();
  const cutOff = new AbortController();
  const ended = AbortSignal.any([stopping, session.lost]);
  const sleeper = createSleeper(ended);
  const running = new Set<Promise<void>>();
  let failure: unknown = null;
  // Whether a webhook may have more room than when the last round was.
  let isRoomier = false;

  const settle = async (delivery: outbox.DueDelivery, attempt: Attempt): Promise<void> => {
    const { deliveryId, webhookId, attempts } = delivery;
    const at = now();
    const isBetter =
      attempt.kind === 'delivered' || attempt.kind === 'failed'
        ? underWay.settle(webhookId, attempt.kind === 'delivered')
        : false;
    isRoomier = true;
    if (attempt.kind !== 'not_sent') {
      attemptsMade.with({ 'registry.result': attempt.kind === 'delivered' ? 'delivered' : 'failed' }).add();
    }
    await session.run(async (database) => {
      switch (attempt.kind) {
        case 'delivered':
          await outbox.markDelivered(database, deliveryId, at);
          if (isBetter) await outbox.wakeUnreached(database, webhookId, at);
          return;
        case 'gone':
          await outbox.disable(database, webhookId, at);
          logger.info({ webhook_id: webhookId }, 'a webhook was switched off: its consumer answered 410');
          return;
        case 'not_sent':
          await outbox.postpone(database, webhookId, new Date(at.getTime() + attempt.retryAfterMs));
          return;
        case 'failed': {
          const { reason, wasReached } = attempt;
          if (attempts + 1 >= parts.attemptsMax) {
            await outbox.markDead(database, deliveryId, { now: at, reason });
            logger.warn({ webhook_id: webhookId, message_id: delivery.messageId, reason }, 'a message was given up');
            return;
          }
          const delayMs = retryDelayMs(attempts + 1, parts.retry, Math.random(), attempt.retryAfterMs);
          const dueAt = new Date(at.getTime() + delayMs);
          await outbox.markFailed(database, deliveryId, { now: at, reason, dueAt, wasReached });
          return;
        }
        default:
          attempt satisfies never;
      }
    });
  };

  const send = async (delivery: outbox.DueDelivery): Promise<void> => {
    try {
      const attempt = await attemptDelivery({ ...parts, now }, delivery, cutOff.signal);
      // What was cut off is sent again by whoever comes next.
      if (!cutOff.signal.aborted) await settle(delivery, attempt);
    } catch (error) {
      failure ??= error;
    } finally {
      underWay.leave(delivery);
      sleeper.wake();
    }
  };

  const sendDue = async (at: Date): Promise<void> => {
    if (underWay.size >= webhookLimits.messagesAtOnceMax) return;
    const due = await session.run((database) => outbox.dueDeliveries(database, at, underWay.full()));
    for (const delivery of due) {
      if (!underWay.enter(delivery)) continue;
      const sending = send(delivery).finally(() => running.delete(sending));
      running.add(sending);
    }
  };

  let filled = notFilled;
  let roundAfter = 0;
  try {
    while (!ended.aborted && failure === null) {
      const isMore = filled.isMore || (filled.isBehind && isRoomier);
      if ((isMore || (watcher.current() ?? -1n) > filled.position) && performance.now() >= roundAfter) {
        isRoomier = false;
        filled = await session.run(fillOutbox);
        roundAfter =
          performance.now() + (filled.isUnused ? webhookLimits.unusedRoundPauseMs : webhookLimits.roundPauseMs);
      }
      // One moment for both: a message that becomes due between two moments would be neither sent nor waited for.
      const at = now();
      let dueAt: Date | null = null;
      if (!filled.isUnused) {
        await sendDue(at);
        dueAt = await session.run((database) => outbox.nextDueAt(database, at));
      }
      const dueInMs = dueAt === null ? webhookLimits.idleMsMax : dueAt.getTime() - Date.now();
      await sleeper.sleep({
        ms: Math.min(
          Math.max(dueInMs, 1),
          webhookLimits.idleMsMax,
          filled.isMore || (filled.isBehind && isRoomier) ? webhookLimits.roundPauseMs : Infinity,
        ),
        moved: (signal) => watcher.waitFor(filled.position + 1n, { timeoutMs: webhookLimits.idleMsMax, signal }),
        pauseMs: Math.max(0, roundAfter - performance.now()),
      });
    }
  } finally {
    const timer = setTimeout(() => cutOff.abort(), session.lost.aborted ? 0 : webhookLimits.stopMs);
    await Promise.all(running);
    clearTimeout(timer);
  }
  if (failure !== null && !ended.aborted) throw failure;
}

type Sleep = {
  ms: number;
  /** Ends the sleep when it resolves, but not before `pauseMs` have passed. */
  moved: (signal: AbortSignal) => Promise<void>;
  pauseMs: number;
};

/** Sleeps until something is to be done; a call of `wake` while nobody sleeps ends the next sleep at once, so that none is lost. */
type Sleeper = { wake(): void; sleep(sleep: Sleep): Promise<void> };

/** @param ended ends every sleep. */
const createSleeper = (ended: AbortSignal): Sleeper => {
  let isWoken = false;
  let wakeUp: (() => void) | null = null;
  return {
    wake: () => {
      isWoken = true;
      wakeUp?.();
    },
    sleep: async ({ ms, moved, pauseMs }) => {
      if (isWoken) {
        isWoken = false;
        return;
      }
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, ended]);
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      const slept = delay(ms, undefined, { signal }).catch(() => undefined);
      const pausedMove = async (): Promise<void> => {
        await delay(pauseMs, undefined, { signal });
        await moved(signal);
      };
      // A wait for the checkpoint that ends without it, because too many wait or the sleep is over, leaves it at the sleep's own time.
      await Promise.race([woken, slept, pausedMove().catch(() => slept)]);
      wakeUp = null;
      isWoken = false;
      over.abort();
    },
  };
};
