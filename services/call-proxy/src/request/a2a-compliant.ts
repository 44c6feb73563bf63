import type { MessageEnvelope, MessagePart } from '@agent-trust/contracts';
import { asksForStream, dataOf, jsonBytes, parseEnvelope } from './message.ts';
import type { ParsedMessage } from './message.ts';
import type { A2aWireForm, OutboundPlan, RoutableTarget } from './plan.ts';

const isWebAddress = (content: string): boolean => /^https?:\/\//iu.test(content) && URL.canParse(content);

/** A part as every line of A2A reads it: our two members stay, and the member of its kind stands beside them (A2A 0.2 §6.5, 0.3 §6.5). */
const supersetPart = (part: MessagePart): Record<string, unknown> => {
  switch (part.kind) {
    case 'text':
      return { text: part.content, ...part };
    case 'data':
      return { ...part, data: part['data'] ?? dataOf(part.content) };
    case 'file': {
      const bytesOrUri = isWebAddress(part.content) ? { uri: part.content } : { bytes: part.content };
      return { file: { mimeType: part.content_type, ...bytesOrUri }, ...part };
    }
    default:
      return part satisfies never;
  }
};

/** A part in A2A 1.0's protobuf JSON (1.0 §4.1.6): one of text, data, raw and url, with mediaType. */
const versionOnePart = (part: MessagePart): Record<string, unknown> => {
  const metadata = part['metadata'] === undefined ? {} : { metadata: part['metadata'] };
  switch (part.kind) {
    case 'text':
      return { text: part.content, mediaType: part.content_type, ...metadata };
    case 'data':
      return { data: dataOf(part.content), mediaType: part.content_type, ...metadata };
    case 'file':
      return isWebAddress(part.content)
        ? { url: part.content, mediaType: part.content_type, ...metadata }
        : { raw: part.content, mediaType: part.content_type, ...metadata };
    default:
      return part satisfies never;
  }
};

const supersetEnvelope = (envelope: MessageEnvelope, newId: () => string): Record<string, unknown> => {
  const message = envelope.params.message;
  return {
    id: newId(),
    ...envelope,
    params: {
      ...envelope.params,
      message: { messageId: newId(), kind: 'message', ...message, parts: message.parts.map(supersetPart) },
    },
  };
};

const versionOneEnvelope = (envelope: MessageEnvelope, newId: () => string): Record<string, unknown> => {
  const message = envelope.params.message;
  const { kind: _kind, ...rest } = message;
  return {
    id: newId(),
    ...envelope,
    method: envelope.method === 'message/stream' ? 'SendStreamingMessage' : 'SendMessage',
    params: {
      ...envelope.params,
      message: { messageId: newId(), ...rest, role: 'ROLE_USER', parts: message.parts.map(versionOnePart) },
    },
  };
};

/** A JSON-RPC envelope for an A2A server. Always POST. */
export const planA2aCompliant = (
  target: RoutableTarget,
  message: ParsedMessage,
  options: { a2aWireForm: A2aWireForm; newId: () => string },
): OutboundPlan => {
  const envelope = parseEnvelope(message);
  const streaming = asksForStream(message);
  const isVersionOne = options.a2aWireForm === '1.0';
  const wire = isVersionOne ? versionOneEnvelope(envelope, options.newId) : supersetEnvelope(envelope, options.newId);
  return {
    httpMethod: 'POST',
    url: target.endpointUrl,
    headers: {
      'content-type': 'application/json',
      accept: streaming ? 'text/event-stream, application/json' : 'application/json',
      ...(isVersionOne ? { 'a2a-version': '1.0' } : {}),
    },
    body: jsonBytes(wire),
    isExchange: true,
    streaming,
  };
};

/** JSON-RPC errors by which a server says that it knows only A2A 1.0: method not found, version not supported (1.0 §9.5). */
const versionOneOnlyErrors: ReadonlySet<unknown> = new Set([-32601, -32009]);

/** True when an answer to the superset form says that the server wants the 1.0 form. */
export const wantsVersionOne = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'error' in answer &&
  typeof answer.error === 'object' &&
  answer.error !== null &&
  'code' in answer.error &&
  versionOneOnlyErrors.has(answer.error.code);
