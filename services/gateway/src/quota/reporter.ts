import { randomUUID } from 'node:crypto';
import type { UsageGrant, UsageItem } from '@agent-trust/contracts';
import type { Ledger } from './ledger.ts';

type Report = { reporterId: string; sequence: number; items: UsageItem[] };

/** Sends a report; rejects if nobody knows whether it was taken. */
export type SendReport = (report: Report) => Promise<{ granted: UsageGrant[] }>;

/**
 * Reports what a ledger has counted, one report at a time. A report that is not answered is sent again, under its number, before the next: it is taken
 * once, and so is what it leases.
 */
export function createReporter(
  ledger: Ledger,
  send: SendReport,
  now: () => number = Date.now,
): {
  /** Resolves when all that was counted or wanted before is reported and answered. Rejects with what `send` throws. */
  settle(): Promise<void>;
} {
  const reporterId = randomUUID();
  let sequence = 0;
  let unanswered: Report | null = null;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const deliver = async (report: Report): Promise<void> => {
    unanswered = report;
    const { granted } = await send(report);
    unanswered = null;
    ledger.granted(granted, now());
  };

  const run = async (): Promise<void> => {
    if (unanswered !== null) await deliver(unanswered);
    const items = ledger.report(now());
    if (items.length > 0) await deliver({ reporterId, sequence: (sequence += 1), items });
  };

  const start = (): Promise<void> => {
    running = run().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    settle: () => {
      // What was counted since that report was made is in the next one, which all who wait share; also between the end of the one and the
      // beginning of the other: a second one beside it would take the grants of a report twice.
      if (next !== null) return next;
      if (running === null) return start();
      next = running
        .catch(() => undefined)
        .then(() => {
          next = null;
          return start();
        });
      return next;
    },
  };
}
