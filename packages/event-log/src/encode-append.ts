import { InvalidAppendError } from './errors.ts';
import { eventLogLimits } from './limits.ts';
import type { NewEvent } from './port.ts';

/** A checked event for a log, with data and metadata as JSON text. */
export type EncodedEvent = { eventId: string; type: string; data: string; metadata: string };
export type EncodedAppend = { stream: string; events: EncodedEvent[]; bytes: number };

/**
 * Checks an append and serialises it, before it shares a batch with others: one caller's mistake must fail for that caller alone.
 *
 * Refused with `InvalidAppendError`: no or too many events, a repeated or malformed id, U+0000 anywhere (Postgres text cannot contain it, so no read
 * model could), a lone surrogate in a name (UTF-8 would turn two streams into one), data that is not JSON, more bytes than the limit.
 */
export function encodeAppend(stream: string, events: readonly NewEvent[]): EncodedAppend {
  checkName('Stream name', stream, eventLogLimits.streamNameBytesMax);
  const what = `An append to stream ${JSON.stringify(stream)}`;
  const { appendEventsMax, appendBytesMax } = eventLogLimits;
  if (events.length === 0) throw new InvalidAppendError(`${what} holds no events.`);
  if (events.length > appendEventsMax) {
    throw new InvalidAppendError(`${what} holds ${events.length} events; at most ${appendEventsMax} are allowed.`);
  }
  const ids = new Set<string>();
  let bytes = 0;
  const encoded = events.map((event) => {
    const one = encodeEvent(event);
    if (ids.has(one.eventId)) throw new InvalidAppendError(`Event id ${one.eventId} occurs twice in one append.`);
    ids.add(one.eventId);
    bytes += Buffer.byteLength(one.data) + Buffer.byteLength(one.metadata) + Buffer.byteLength(one.type);
    return one;
  });
  if (bytes > appendBytesMax) {
    throw new InvalidAppendError(`${what} has ${bytes} bytes; at most ${appendBytesMax} are allowed.`);
  }
  return { stream, events: encoded, bytes };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const encodeEvent = (event: NewEvent): EncodedEvent => {
  const eventId = event.eventId.toLowerCase();
  if (!uuid.test(eventId)) throw new InvalidAppendError(`Event id ${JSON.stringify(event.eventId)} is not a UUID.`);
  checkName('Event type', event.type, eventLogLimits.eventTypeBytesMax);
  return {
    eventId,
    type: event.type,
    data: toJson('Data', event.data, event),
    metadata: toJson('Metadata', event.metadata, event),
  };
};

const checkName = (what: string, name: string, bytesMax: number): void => {
  if (name === '') throw new InvalidAppendError(`${what} is empty.`);
  if (name.startsWith('$'))
    throw new InvalidAppendError(`${what} ${JSON.stringify(name)} starts with "$", which is kept for the log itself.`);
  if (name.includes('\0')) throw new InvalidAppendError(`${what} ${JSON.stringify(name)} holds U+0000.`);
  if (!name.isWellFormed()) throw new InvalidAppendError(`${what} ${JSON.stringify(name)} holds a lone surrogate.`);
  const bytes = Buffer.byteLength(name);
  if (bytes > bytesMax)
    throw new InvalidAppendError(`${what} has ${bytes} bytes in UTF-8; at most ${bytesMax} are allowed.`);
};

/** U+0000 as JSON.stringify writes it: its escape, not preceded by an odd number of backslashes. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/;

const toJson = (kind: string, value: unknown, event: NewEvent): string => {
  const what = `${kind} of event ${event.eventId} (${event.type})`;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new InvalidAppendError(`${what} cannot be written as JSON.`, { cause });
  }
  if (text === undefined || !text.startsWith('{')) throw new InvalidAppendError(`${what} is not an object.`);
  if (text.includes('\\u0000') && escapedNul.test(text)) throw new InvalidAppendError(`${what} holds U+0000.`);
  return text;
};
