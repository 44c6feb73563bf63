import { z } from 'zod';
import { limits } from '../limits.ts';
import { text } from '../text.ts';

/**
 * The message of a call to an `a2a` agent (specification, "Message envelope shape"). Unknown fields pass through.
 * Held against `message` once the target's protocol is known: `mcp` and `raw` targets take other shapes.
 */
const mediaType = text(limits.tokenCharsMax, 1);
/** Not a record, which would look at every member and copy it: a body may hold a million of them. */
const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { message: 'must be a JSON object' },
);

const isJsonObjectText = (value: string): boolean => {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
};

export const messagePart = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('text'), content_type: z.literal('text/plain'), content: z.string() }),
  z.looseObject({
    kind: z.literal('data'),
    content_type: z.literal('application/json'),
    content: z.union([
      jsonObject,
      z.string().refine(isJsonObjectText, { message: 'must be a JSON object or its text' }),
    ]),
  }),
  z.looseObject({ kind: z.literal('file'), content_type: mediaType, content: z.string() }),
]);
export type MessagePart = z.infer<typeof messagePart>;

export const messageEnvelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.enum(['message/send', 'message/stream']),
  params: z.looseObject({
    message: z.looseObject({
      role: z.literal('user'),
      parts: z.array(messagePart).min(1).max(limits.messagePartsMax),
    }),
  }),
});
export type MessageEnvelope = z.infer<typeof messageEnvelope>;

/** Any JSON-RPC 2.0 message, as an `mcp` target takes it (JSON-RPC 2.0 §4, §5). */
export const jsonRpcMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
});
