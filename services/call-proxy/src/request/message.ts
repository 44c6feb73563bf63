import { DomainError, messageEnvelope } from '@agent-trust/contracts';
import type { MessageEnvelope } from '@agent-trust/contracts';
import { isJsonText, memberBytes, outside } from '@agent-trust/json-text';
import type { z } from 'zod';

/** Faults told of one message; who has that many has read enough. */
const faultsToldMax = 50;

const messageLocation = ['body', 'message'];

/** A refusal that names the place of each fault inside the message. */
export function invalidMessage(issues: { path: PropertyKey[]; message: string; code?: string }[]): DomainError {
  return new DomainError('invalid_message', 'The message does not have the shape that the target takes.', {
    items: issues.slice(0, faultsToldMax).map((issue) => ({
      loc: [...messageLocation, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))],
      msg: issue.message,
      type: issue.code ?? 'invalid_message',
    })),
  });
}

/**
 * The text of a message. The gateway has read it once; a proxy trusts nothing that crossed a wire.
 *
 * @throws DomainError invalid_message for what is not UTF-8.
 */
const textOf = (message: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message);
  } catch (cause) {
    throw notJson(cause);
  }
};

const notJson = (cause?: unknown): DomainError =>
  new DomainError('invalid_message', 'The message is not JSON.', {
    items: [{ loc: messageLocation, msg: 'must be JSON', type: 'invalid_message' }],
    cause,
  });

/** Holds a value against the schema of a message. */
const parseShape = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidMessage([{ path: [], message: 'must be a JSON object' }]);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidMessage(parsed.error.issues);
  return parsed.data;
};

/**
 * A message to an `a2a` agent. Ten MiB of it may be 140 MB as values: who asks for them makes a plan of them at once, and keeps the bytes.
 *
 * @throws DomainError invalid_message with the path of each fault.
 */
export function parseEnvelope(message: Uint8Array): MessageEnvelope {
  const text = textOf(message);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notJson(cause);
  }
  return parseShape(messageEnvelope, value);
}

/**
 * Those outermost members of a message that its schema names, for a message that is forwarded as it came: nothing is made of what they hold,
 * or of the others.
 *
 * @throws DomainError invalid_message with the path of each fault.
 */
export function parseOutside<Schema extends z.ZodObject>(schema: Schema, message: Uint8Array): z.output<Schema> {
  if (!isJsonText(textOf(message))) throw notJson();
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const value = outside(bytes);
  const members = [...memberBytes(bytes, Object.keys(schema.shape))];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return parseShape(schema, isObject ? Object.fromEntries(members.map(([name, at]) => [name, outside(at)])) : value);
}

/** True when the caller asked for the answer as server-sent events. */
export function asksForStream({ method }: { method?: unknown }): boolean {
  return method === 'message/stream';
}

/** The JSON value of a data part, whether it came as an object or as its text. */
export function dataOf(content: string | Record<string, unknown>): Record<string, unknown> {
  return typeof content === 'string' ? (JSON.parse(content) as Record<string, unknown>) : content;
}

/** True for the content of a file part that is the file's address, and not the file. */
export function isWebAddress(content: string): boolean {
  return /^https?:\/\//iu.test(content) && URL.canParse(content);
}

export function utf8(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}
export function jsonBytes(value: unknown): Uint8Array {
  return utf8(JSON.stringify(value));
}
