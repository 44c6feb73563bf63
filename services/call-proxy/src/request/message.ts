import { DomainError, messageEnvelope } from '@agent-trust/contracts';
import type { MessageEnvelope } from '@agent-trust/contracts';
import type { z } from 'zod';

/** The caller's message: its bytes as they came, and what they mean. */
export type ParsedMessage = { bytes: Uint8Array; value: Record<string, unknown> };

/** Faults told of one message; who has that many has read enough. */
const faultsToldMax = 50;

const messageLocation = ['body', 'message'];

/** A refusal that names the place of each fault inside the message. */
export const invalidMessage = (issues: { path: PropertyKey[]; message: string; code?: string }[]): DomainError =>
  new DomainError('invalid_message', 'The message does not have the shape that the target takes.', {
    items: issues.slice(0, faultsToldMax).map((issue) => ({
      loc: [...messageLocation, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))],
      msg: issue.message,
      type: issue.code ?? 'invalid_message',
    })),
  });

/** Reads the bytes of a JSON object. The gateway has parsed them once; a proxy trusts nothing that crossed a wire. */
export const parseMessage = (bytes: Uint8Array): ParsedMessage => {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new DomainError('invalid_message', 'The message is not JSON.', {
      items: [{ loc: messageLocation, msg: 'must be JSON', type: 'invalid_message' }],
      cause,
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidMessage([{ path: [], message: 'must be a JSON object' }]);
  }
  return { bytes, value: value as Record<string, unknown> };
};

/** Holds a message against a schema. */
export const parseShape = <Schema extends z.ZodType>(schema: Schema, message: ParsedMessage): z.output<Schema> => {
  const parsed = schema.safeParse(message.value);
  if (!parsed.success) throw invalidMessage(parsed.error.issues);
  return parsed.data;
};

export const parseEnvelope = (message: ParsedMessage): MessageEnvelope => parseShape(messageEnvelope, message);

/** True when the caller asked for the answer as server-sent events. */
export const asksForStream = (message: ParsedMessage): boolean => message.value['method'] === 'message/stream';

/** The JSON value of a data part, whether it came as an object or as its text. */
export const dataOf = (content: string | Record<string, unknown>): Record<string, unknown> =>
  typeof content === 'string' ? (JSON.parse(content) as Record<string, unknown>) : content;

/** True for the content of a file part that is the file's address, and not the file. */
export const isWebAddress = (content: string): boolean => /^https?:\/\//iu.test(content) && URL.canParse(content);

export const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value);
export const jsonBytes = (value: unknown): Uint8Array => utf8(JSON.stringify(value));
