/** A JSON value as it travels. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 JSON of a value; undefined travels as null. Throws TypeError for what JSON cannot hold (bigint, cycles). */
export const encodeJson = (value: unknown): Uint8Array =>
  Buffer.from(JSON.stringify(value === undefined ? null : value));

/** The value of UTF-8 JSON bytes; no bytes at all are null. Throws SyntaxError or TypeError for anything else. */
export const decodeJson = (bytes: Uint8Array): unknown =>
  bytes.length === 0 ? null : (JSON.parse(decoder.decode(bytes)) as unknown);
