import type { StreamEvent } from './stream-event.ts';

/** Pieces of a stream's text in, whole events out. */
export type EventParser = {
  /** Events that are whole with this piece. */
  push(text: string): StreamEvent[];
  /** Characters of the event that is not whole yet. */
  readonly pendingChars: number;
};

/**
 * Server-sent events as the HTML standard has them (§9.2.6): lines end with CR, LF or both, an empty line ends an event, one without data
 * is none, and what an unfinished stream has left at its end is dropped.
 */
export const eventParser = (): EventParser => {
  let rest = '';
  let isFirst = true;
  let data: string[] = [];
  let event = '';
  let lastId: string | null = null;
  let eventChars = 0;

  const line = (text: string): StreamEvent | null => {
    if (text === '') {
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
    else if (name === 'id' && !value.includes('\0')) lastId = value;
    return null;
  };

  return {
    get pendingChars() {
      return rest.length + eventChars;
    },
    push: (piece) => {
      // What was looked through before holds no line's end, but for a CR that waited.
      let search = Math.max(0, rest.length - 1);
      const text = rest + (isFirst ? piece.replace(/^\uFEFF/u, '') : piece);
      if (piece !== '') isFirst = false;
      const events: StreamEvent[] = [];
      let start = 0;
      for (;;) {
        const end = lineEnd(text, Math.max(start, search));
        if (end === null) break;
        const whole = line(text.slice(start, end.at));
        if (whole !== null) events.push(whole);
        start = end.next;
        search = start;
      }
      rest = text.slice(start);
      return events;
    },
  };
};

/** Where the line ends, and where the next begins. A CR at the very end may be half of a CRLF: the next piece tells. */
const lineEnd = (text: string, start: number): { at: number; next: number } | null => {
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\n') return { at, next: at + 1 };
    if (char !== '\r') continue;
    if (at + 1 === text.length) return null;
    return { at, next: text[at + 1] === '\n' ? at + 2 : at + 1 };
  }
  return null;
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
