import type { ZodType } from 'zod';

/** A JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 JSON of a value; undefined is sent as null. Throws TypeError for what JSON cannot represent (bigint, cycles). */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value === undefined ? null : value));
}

/** The value of UTF-8 JSON bytes; no bytes at all are null. Throws SyntaxError or TypeError for anything else. */
export function decodeJson(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? null : (JSON.parse(decoder.decode(bytes)) as unknown);
}

type ParsedInput<Value> = { success: true; data: Value } | { success: false; detail: string };

/** Parses the JSON of a call's input. The detail names the place and the rule, never the value. */
export function parseWith<Value>(schema: ZodType<Value>, bytes: Uint8Array): ParsedInput<Value> {
  let value: unknown;
  try {
    value = decodeJson(bytes);
  } catch {
    return { success: false, detail: 'not JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { success: true, data: parsed.data };
  const issue = parsed.error.issues[0];
  return { success: false, detail: `${issue?.path.join('.') || '(root)'}: ${issue?.code ?? 'invalid'}` };
}
