import type { MessageEnvelope, MessagePart } from '@agent-trust/contracts';
import { versionOneEnvelope } from './a2a-version-one.ts';
import { asksForStream, dataOf, isWebAddress, jsonBytes, parseEnvelope } from './message.ts';
import type { A2aWireForm, OutboundPlan, RoutableTarget } from './plan.ts';

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

/** A JSON-RPC envelope for an A2A server. Always POST. */
export function planA2aCompliant(
  target: RoutableTarget,
  message: Uint8Array,
  options: { a2aWireForm: A2aWireForm; newId: () => string },
): OutboundPlan {
  const envelope = parseEnvelope(message);
  const streaming = asksForStream(envelope);
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
}
