/** Server-sent events that hold the answer to one JSON-RPC request (MCP 2025-06-18, "Sending Messages to the Server"). */
import { readJson } from '@agent-trust/json-text';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const dataField = Buffer.from('data');

/** The end of the line that begins at `from`, without its break. */
const endOfLine = (bytes: Buffer, from: number): number => {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === lineFeed || byte === carriageReturn) return at;
  }
  return bytes.length;
};

const afterBreak = (bytes: Buffer, at: number): number =>
  bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? at + 2 : at + 1;

/** Where the data of a line begins; null for a line of another field. */
const dataStart = (bytes: Buffer, from: number, to: number): number | null => {
  const afterName = from + dataField.length;
  if (afterName > to || bytes.compare(dataField, 0, dataField.length, from, afterName) !== 0) return null;
  if (afterName === to) return to;
  if (bytes[afterName] !== colon) return null;
  return bytes[afterName + 1] === space && afterName + 1 < to ? afterName + 2 : afterName + 1;
};

/**
 * The data of every event of a complete stream, in order. Each view is valid until the next is asked for: all are written into one
 * buffer, since a stream of 10 MiB may be nothing but line breaks, and objects for its lines would take half a gigabyte.
 */
function* eventData(stream: Buffer): Generator<Buffer> {
  const data = Buffer.allocUnsafe(stream.length + 1);
  let size = 0;
  for (let at = 0; at < stream.length; ) {
    const end = endOfLine(stream, at);
    if (end === at) {
      if (size > 0) yield data.subarray(0, size - 1);
      size = 0;
    } else {
      const from = dataStart(stream, at, end);
      if (from !== null) {
        size += stream.copy(data, size, from, end);
        data[size++] = lineFeed;
      }
    }
    at = afterBreak(stream, end);
  }
  if (size > 0) yield data.subarray(0, size - 1);
}

/**
 * The JSON-RPC response among the events that an MCP server sent in answer to one request (a server may answer a POST with a stream
 * that holds notifications and, last, the response), or null when there is none.
 */
export function jsonRpcResponseIn(stream: Uint8Array): Uint8Array | null {
  let response: Uint8Array | null = null;
  for (const data of eventData(Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength))) {
    if (isResponse(readJson(data, { members: { result: {}, error: {} } }))) response = Buffer.from(data);
  }
  return response;
}

const isResponse = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('result' in value || 'error' in value);
