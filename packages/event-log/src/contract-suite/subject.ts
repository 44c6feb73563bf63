import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { LogRetention } from '../retention.ts';
import type { EventLog, JsonObject, NewEvent, RecordedEvent, Subscription } from '../port.ts';

/** The log under test. */
export type ContractSubject = {
  /** Opens one more object on the same log; the suite closes it. */
  open(): EventLog;
  /** Opens what the user of retention may do; absent where the test may not remove anything. The suite closes it. */
  openRetention?: () => LogRetention;
  /** Cuts the connection of every live subscription and returns their number; absent if the test has no access to it. */
  cutSubscriptions?: () => Promise<number>;
  stop(): Promise<void>;
};

type Running = {
  log: EventLog;
  open(): EventLog;
  openRetention: ContractSubject['openRetention'];
  cutSubscriptions: ContractSubject['cutSubscriptions'];
};

/** Starts the subject for a `describe` and closes everything it opened. Read it only inside tests. */
export function useSubject(start: () => Promise<ContractSubject>): Running {
  let subject: ContractSubject | undefined;
  const opened: EventLog[] = [];
  const open = (): EventLog => {
    if (subject === undefined) throw new Error('The subject is not running yet.');
    const log = subject.open();
    opened.push(log);
    return log;
  };
  beforeAll(async () => {
    subject = await start();
    open();
  });
  afterAll(async () => {
    await Promise.all(opened.map((log) => log.close()));
    await subject?.stop();
  });
  return {
    get log() {
      const [first] = opened;
      if (first === undefined) throw new Error('The subject is not running yet.');
      return first;
    },
    open,
    get openRetention() {
      return subject?.openRetention;
    },
    get cutSubscriptions() {
      return subject?.cutSubscriptions;
    },
  };
}

export function newStream(): string {
  return `contract-${randomUUID()}`;
}

export function newEvent(data: JsonObject = {}): NewEvent {
  return {
    eventId: randomUUID(),
    type: 'SomethingHappened',
    data,
    metadata: { correlationId: 'contract', schemaVersion: 1 },
  };
}

export function newEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => newEvent({ n }));
}

/** Collects events of a subscription until `done` returns true for them, then closes it. */
export async function collect(
  subscription: Subscription,
  done: (events: readonly RecordedEvent[]) => boolean,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of subscription) {
    if (batch.length === 0) throw new Error('A subscription delivered an empty batch.');
    events.push(...batch);
    if (done(events)) break;
  }
  return events;
}
