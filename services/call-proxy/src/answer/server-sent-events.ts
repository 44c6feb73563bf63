/** Server-sent events (WHATWG HTML §9.2), as far as a relay needs them. */
import { readJson } from '@agent-trust/json-text';

/** True for `text/event-stream` with any parameters. */
export function isEventStream(contentType: string | null): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'text/event-stream';
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const tab = 0x09;
const openingBrace = 0x7b;
const dataField = Buffer.from('data');
const dataWord = dataField.readUInt32BE();
const dataPrefix = Buffer.from('data: ');

const isBreak = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;

const afterBreak = (bytes: Buffer, at: number): number =>
  bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? at + 2 : at + 1;

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * A whole answer as one event with a field for each line, for a caller of `message/stream` whose agent answers without a stream. Written byte by
 * byte into one buffer: an answer of 10 MiB may consist of line breaks; strings for its lines would take half a gigabyte, and calls of `copy`
 * a second.
 */
export function asOneEvent(body: Uint8Array): Uint8Array {
  const bytes = asBuffer(body);
  let breaks = 0;
  for (let at = 0; at < bytes.length; at += 1) if (isBreak(bytes[at])) breaks += 1;
  const event = Buffer.allocUnsafe(bytes.length + dataPrefix.length * (breaks + 1) + 2);
  let end = dataPrefix.copy(event);
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    if (isBreak(byte)) {
      at = afterBreak(bytes, at);
      event[end++] = lineFeed;
      for (let index = 0; index < dataPrefix.length; index += 1) event[end++] = dataPrefix[index] as number;
    } else {
      event[end++] = byte;
      at += 1;
    }
  }
  event[end++] = lineFeed;
  event[end++] = lineFeed;
  return event.subarray(0, end);
}

/** Where the data of a line begins; null for a line of another field. */
const dataStart = (bytes: Buffer, from: number, to: number): number | null => {
  const afterName = from + dataField.length;
  if (afterName > to || bytes.readUInt32BE(from) !== dataWord) return null;
  if (afterName === to) return to;
  if (bytes[afterName] !== colon) return null;
  return bytes[afterName + 1] === space && afterName + 1 < to ? afterName + 2 : afterName + 1;
};

/** The data of each event of a complete stream, in order. Each view is valid until the next one: all share one buffer, for the reason of `asOneEvent`. */
function* eventData(stream: Buffer): Generator<Buffer> {
  const data = Buffer.allocUnsafe(stream.length + 1);
  let size = 0;
  for (let at = 0; at < stream.length; ) {
    let end = at;
    while (end < stream.length && !isBreak(stream[end])) end += 1;
    if (end === at) {
      if (size > 0) yield data.subarray(0, size - 1);
      size = 0;
    } else {
      const from = dataStart(stream, at, end);
      if (from !== null) {
        if (from < end) size += stream.copy(data, size, from, end);
        data[size++] = lineFeed;
      }
    }
    at = afterBreak(stream, end);
  }
  if (size > 0) yield data.subarray(0, size - 1);
}

const isObjectText = (json: Buffer): boolean => {
  let at = 0;
  while (at < json.length && (isBreak(json[at]) || json[at] === space || json[at] === tab)) at += 1;
  return json[at] === openingBrace;
};
const isResponse = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('result' in value || 'error' in value);

/** The JSON-RPC response in an MCP server's stream, the last message after notifications (MCP 2025-06-18, "Sending Messages to the Server"), or null. */
export function jsonRpcResponseIn(stream: Uint8Array): Uint8Array | null {
  let response: Uint8Array | null = null;
  for (const data of eventData(asBuffer(stream))) {
    if (isObjectText(data) && isResponse(readJson(data, { members: { result: {}, error: {} } })))
      response = Buffer.from(data);
  }
  return response;
}
