/** One server-sent event, as the agent sent it. */
export type StreamEvent = {
  /** `message`, unless the agent names it otherwise. */
  event: string;
  /** The last id of the stream. */
  id: string | null;
  data: string;
  /** The data as JSON; undefined if it is not JSON. */
  json: unknown;
};

/** Takes chunks of a stream's text and returns complete events. */
export type EventParser = {
  /** Events that this chunk completes. */
  push(text: string): StreamEvent[];
  /** Characters of the incomplete event. */
  readonly pendingChars: number;
  /** The last id of the stream, also of a block without data; null for none. */
  readonly lastId: string | null;
};

/**
 * Server-sent events according to the HTML standard (§9.2.6): lines end with CR, LF or both, an empty line ends an event, an event without data is
 * dropped, and so is an incomplete one at the end of the stream.
 */
export function eventParser(): EventParser {
  // The incomplete line, in chunks: they are joined once, however many there are.
  let rest: string[] = [];
  let restChars = 0;
  let isFirst = true;
  /** The chunk before ended with a CR, which has ended its line: a LF that follows is the second half of a CRLF. */
  let endedWithCr = false;
  let data: string[] = [];
  let event = '';
  /** Of the incomplete event. */
  let id: string | null = null;
  let lastId: string | null = null;
  let eventChars = 0;

  const line = (text: string): StreamEvent | null => {
    if (text === '') {
      lastId = id;
      const whole = data.length === 0 ? null : streamEvent(data.join('\n'), event, lastId);
      data = [];
      event = '';
      eventChars = 0;
      return whole;
    }
    eventChars += text.length;
    const colon = text.indexOf(':');
    const name = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(colon + (text[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    return null;
  };

  return {
    get pendingChars() {
      return restChars + eventChars;
    },
    get lastId() {
      return lastId;
    },
    push: (piece) => {
      if (piece === '') return [];
      let start = (isFirst && piece.startsWith('\uFEFF')) || (endedWithCr && piece.startsWith('\n')) ? 1 : 0;
      isFirst = false;
      endedWithCr = piece.endsWith('\r');
      const events: StreamEvent[] = [];
      for (let end = lineEnd(piece, start); end !== -1; end = lineEnd(piece, start)) {
        const whole = line(rest.join('') + piece.slice(start, end));
        rest = [];
        restChars = 0;
        if (whole !== null) events.push(whole);
        start = end + (piece.startsWith('\r\n', end) ? 2 : 1);
      }
      if (start < piece.length) rest.push(piece.slice(start));
      restChars += piece.length - start;
      return events;
    },
  };
}

/** Index at which the line from `start` ends; -1 if this text does not end it. */
const lineEnd = (text: string, start: number): number => {
  for (let at = start; at < text.length; at += 1) if (text[at] === '\n' || text[at] === '\r') return at;
  return -1;
};

const streamEvent = (data: string, event: string, id: string | null): StreamEvent => {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    json = undefined;
  }
  return { event: event === '' ? 'message' : event, id, data, json };
};
