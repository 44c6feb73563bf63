/** A JSON value as it travels. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 JSON of a value; undefined travels as null. Throws TypeError for what JSON cannot hold (bigint, cycles). */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value === undefined ? null : value));
}

/** The value of UTF-8 JSON bytes; no bytes at all are null. Throws SyntaxError or TypeError for anything else. */
export function decodeJson(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? null : (JSON.parse(decoder.decode(bytes)) as unknown);
}
