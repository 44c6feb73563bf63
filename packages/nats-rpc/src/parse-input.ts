import type { ZodType } from 'zod';
import { decodeJson } from './json.ts';

export type ParsedInput<Value> = { success: true; data: Value } | { success: false; detail: string };

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
