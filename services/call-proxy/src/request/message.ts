import { isUtf8 } from 'node:buffer';
import { DomainError, limits } from '@agent-trust/contracts';
import {
  asText,
  budgetOf,
  isJson,
  JsonBoundsError,
  type JsonShape,
  jsonTextOf,
  readJson,
} from '@agent-trust/json-text';
import { z } from 'zod';

const reportedFaultsMax = 50;
const messageLocation = ['body', 'message'];

export function invalidMessage(issues: { path: PropertyKey[]; message: string; code?: string }[]): DomainError {
  return new DomainError('invalid_message', 'The message does not have the shape that the target takes.', {
    items: issues.slice(0, reportedFaultsMax).map((issue) => ({
      loc: [...messageLocation, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))],
      msg: issue.message,
      type: issue.code ?? 'invalid_message',
    })),
  });
}

/** Reads the parts that `shape` names, and checks them against `schema`. The gateway has read the message; a proxy does not rely on that. */
const readMessage = <Schema extends z.ZodType>(
  message: Uint8Array,
  shape: JsonShape,
  schema: Schema,
): z.output<Schema> => {
  const value = isUtf8(message)
    ? readText(Buffer.from(message.buffer, message.byteOffset, message.byteLength), shape)
    : undefined;
  if (value === undefined) throw invalidMessage([{ path: [], message: 'must be JSON' }]);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidMessage([{ path: [], message: 'must be a JSON object' }]);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidMessage(parsed.error.issues);
  return parsed.data;
};

const readText = (json: Buffer, shape: JsonShape): unknown => {
  try {
    return readJson(json, shape, { membersMax: limits.bodyMembersMax, nestingMax: limits.bodyNestingMax });
  } catch (error) {
    if (!(error instanceof JsonBoundsError)) throw error;
    throw invalidMessage([{ path: [...error.path], message: error.message }]);
  }
};

const membersOf = (shape: z.ZodRawShape): JsonShape => ({
  members: Object.fromEntries(Object.keys(shape).map((name) => [name, {}])),
});

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const jsonObject = z.custom<Record<string, unknown>>(isObject, { message: 'must be a JSON object' });
/** Within the bounds of a body, because the agent will read it as one. */
const isJsonObjectText = (text: string): boolean => {
  if (!/^\s*\{/u.test(text)) return false;
  try {
    return isJson(Buffer.from(text), budgetOf(limits.bodyMembersMax, limits.bodyNestingMax));
  } catch (error) {
    if (error instanceof JsonBoundsError) return false;
    throw error;
  }
};

/** The content of a part that has it as SDKs of A2A write it: in the member of its kind (A2A 0.2 §6.5, 0.3 §6.5). */
const contentOf: Record<string, (part: Record<string, unknown>) => Record<string, unknown> | undefined> = {
  text: ({ text }) => (text === undefined ? undefined : { content_type: 'text/plain', content: text }),
  data: ({ data }) => (data === undefined ? undefined : { content_type: 'application/json', content: data }),
  file: ({ file }) =>
    isObject(file)
      ? { content_type: file['mimeType'] ?? 'application/octet-stream', content: file['bytes'] ?? file['uri'] }
      : undefined,
};
const withContent = (part: unknown): unknown => {
  if (!isObject(part) || part['content'] !== undefined) return part;
  const { kind } = part;
  const content = typeof kind === 'string' && Object.hasOwn(contentOf, kind) ? contentOf[kind]?.(part) : undefined;
  return content === undefined ? part : { ...content, ...part };
};

const messagePart = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('text'), content_type: z.literal('text/plain'), content: z.string() }),
  z.looseObject({
    kind: z.literal('data'),
    content_type: z.literal('application/json'),
    content: z.union([
      jsonObject,
      z.string().refine(isJsonObjectText, { message: 'must be a JSON object or its text' }),
    ]),
  }),
  z.looseObject({
    kind: z.literal('file'),
    content_type: z.string().min(1).max(limits.tokenCharsMax),
    content: z.string(),
  }),
]);
export type MessagePart = z.infer<typeof messagePart>;

/** The message of a call to an `a2a` agent (specification, "Message envelope shape"). Unknown fields pass through. */
const messageEnvelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.enum(['message/send', 'message/stream']),
  params: z.looseObject({
    message: z.looseObject({
      role: z.literal('user'),
      parts: z.array(z.preprocess(withContent, messagePart)).min(1).max(limits.messagePartsMax),
    }),
  }),
});
export type MessageEnvelope = z.infer<typeof messageEnvelope>;

const anyObject: JsonShape = { members: {}, others: true };
const messagePartShape: JsonShape = { members: { file: anyObject }, others: true };
const envelopeShape: JsonShape = {
  members: {
    params: {
      members: { message: { members: { parts: { items: messagePartShape } }, others: true }, configuration: anyObject },
      others: true,
    },
  },
  others: true,
};

/** A message to an `a2a` agent. The content of its parts stays text, like every other object and array without a meaning here. */
export function readEnvelope(message: Uint8Array): MessageEnvelope {
  return readMessage(message, envelopeShape, messageEnvelope);
}

/** Any JSON-RPC 2.0 message, as an `mcp` target takes it (JSON-RPC 2.0 §4, §5). */
const jsonRpcMessage = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
});
export function readJsonRpcMessage(message: Uint8Array): z.output<typeof jsonRpcMessage> {
  return readMessage(message, membersOf(jsonRpcMessage.shape), jsonRpcMessage);
}

/** Any JSON object, as a `raw` target takes it. */
const rawMessage = z.object({ method: z.unknown().optional() });
export function readRawMessage(message: Uint8Array): z.output<typeof rawMessage> {
  return readMessage(message, membersOf(rawMessage.shape), rawMessage);
}

export function asksForStream({ method }: { method?: unknown }): boolean {
  return method === 'message/stream';
}

/** The JSON of a data part's content, which is an object or its text. */
export function dataText(content: string | Record<string, unknown>): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : (jsonTextOf(content) ?? Buffer.from('{}'));
}

/** The same as a value that `writeJson` writes unchanged. */
export function dataOf(content: string | Record<string, unknown>): object {
  return typeof content === 'string' ? asText(Buffer.from(content)) : content;
}

/** Whether the content of a file part is the file's address, and not the file. */
export function isWebAddress(content: string): boolean {
  return /^https?:\/\//iu.test(content) && URL.canParse(content);
}
