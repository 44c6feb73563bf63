import { createHash } from 'node:crypto';
import { type EventLog, openEventLog, type RecordedEvent } from '@agent-trust/event-log';
import type { Stack } from '@agent-trust/dev-stack';

const pageEvents = 2_000;

export function openLogOf(stack: Stack): Promise<EventLog> {
  return openEventLog(stack.environment['EVENT_LOG_URL'] ?? '', { applicationName: 'chaos' });
}

/** Every event of the log, in order. */
export async function readWholeLog(stack: Stack): Promise<RecordedEvent[]> {
  const log = await openLogOf(stack);
  try {
    const events: RecordedEvent[] = [];
    for (;;) {
      const page = await log.readAll({ after: events.at(-1)?.position ?? null, countMax: pageEvents });
      if (page.length === 0) return events;
      events.push(...page);
    }
  } finally {
    await log.close();
  }
}

/** The request digest in an exchange's record: the SHA-256 of the message as sent. */
export function digestOf(message: unknown): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('hex');
}

/** The exchanges of a log, by transaction. */
export type LoggedExchange = {
  transactionId: string;
  receiverAgentId: string;
  requestDigest: string;
  /** Types of the events after the start, in order. */
  after: string[];
};

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function exchangesOf(events: readonly RecordedEvent[]): Map<string, LoggedExchange> {
  const exchanges = new Map<string, LoggedExchange>();
  for (const { type, data } of events) {
    if (!type.startsWith('Exchange')) continue;
    const transactionId = text(data['transactionId']);
    if (type === 'ExchangeStarted') {
      if (exchanges.has(transactionId)) throw new Error(`exchange ${transactionId} starts twice`);
      exchanges.set(transactionId, {
        transactionId,
        receiverAgentId: text(data['receiverAgentId']),
        requestDigest: text(data['requestDigest']),
        after: [],
      });
    } else {
      const exchange = exchanges.get(transactionId);
      if (exchange === undefined) throw new Error(`${type} of ${transactionId}, which never started`);
      exchange.after.push(type);
    }
  }
  return exchanges;
}

const endOf = ({ type, data }: RecordedEvent): string =>
  type === 'ExchangeFailed' ? text(data['reason']) : type.replace('Exchange', '').toLowerCase();

/** The ends of each receiver's exchanges, in order: `completed`, `abandoned`, or the reason of a failure; `open` without an end. */
export async function endsOf(stack: Stack): Promise<Map<string, string[]>> {
  const events = await readWholeLog(stack);
  const ends = new Map<string, string[]>();
  for (const event of events) {
    if (!/^Exchange(Completed|Failed|Abandoned)$/u.test(event.type)) continue;
    const receiver = text(event.data['receiverAgentId']);
    ends.set(receiver, [...(ends.get(receiver) ?? []), endOf(event)]);
  }
  for (const { receiverAgentId, after } of exchangesOf(events).values())
    if (after.length === 0) ends.set(receiverAgentId, [...(ends.get(receiverAgentId) ?? []), 'open']);
  return ends;
}
