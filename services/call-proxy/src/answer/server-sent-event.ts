/** Server-sent events (WHATWG HTML §9.2), as far as a relay needs them. */

/** True for `text/event-stream`, whatever its parameters. */
export function isEventStream(contentType: string | null): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'text/event-stream';
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dataField = Buffer.from('data: ');

/**
 * A whole answer as one event: how a plain answer to `message/stream` reaches a caller that reads a stream. Each of its lines is a
 * field of its own. Made byte by byte into one buffer: an answer of 10 MiB may be nothing but line breaks, and strings of its lines
 * would take half a gigabyte.
 */
export function asOneEvent(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const event = Buffer.allocUnsafe(bytes.length + dataField.length * (lineBreaksIn(bytes) + 1) + 2);
  let end = dataField.copy(event);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== lineFeed && byte !== carriageReturn) {
      event[end++] = byte as number;
      continue;
    }
    if (byte === carriageReturn && bytes[at + 1] === lineFeed) at += 1;
    event[end++] = lineFeed;
    end += dataField.copy(event, end);
  }
  event[end++] = lineFeed;
  event[end++] = lineFeed;
  return event.subarray(0, end);
}

const lineBreaksIn = (bytes: Buffer): number => {
  let count = 0;
  for (const byte of bytes) if (byte === lineFeed || byte === carriageReturn) count += 1;
  return count;
};
