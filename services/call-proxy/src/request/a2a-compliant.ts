import { writeJson } from '@agent-trust/json-text';
import type { RoutableTarget } from '@agent-trust/proxy-kit';
import {
  asksForStream,
  dataOf,
  isObject,
  isWebAddress,
  type MessageEnvelope,
  type MessagePart,
  readEnvelope,
} from './message.ts';
import type { A2aWireForm, OutboundPlan } from './outbound-plan.ts';

/** A part that every version of A2A reads: our two members, and the member of its kind (A2A 0.2 §6.5, 0.3 §6.5). */
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

/** A part in A2A 1.0's protobuf JSON (1.0 §4.1.6): one of text, data, raw and url, with mediaType. */
const versionOnePart = (part: MessagePart): Record<string, unknown> => {
  const others = { mediaType: part.content_type, ...('metadata' in part ? { metadata: part['metadata'] } : {}) };
  switch (part.kind) {
    case 'text':
      return { text: part.content, ...others };
    case 'data':
      return { data: dataOf(part.content), ...others };
    case 'file':
      return isWebAddress(part.content) ? { url: part.content, ...others } : { raw: part.content, ...others };
    default:
      return part satisfies never;
  }
};

/** 1.0 has `returnImmediately` for the opposite of `blocking` (A2A 1.0, SendMessageConfiguration). */
const versionOneConfiguration = ({ blocking, ...others }: Record<string, unknown>): Record<string, unknown> => ({
  ...(typeof blocking === 'boolean' ? { returnImmediately: !blocking } : {}),
  ...others,
});

/** The caller's envelope in A2A 1.0, whose JSON is that of protobuf. */
const versionOneEnvelope = (envelope: MessageEnvelope, newId: () => string): Record<string, unknown> => {
  const { kind: _kind, ...message } = envelope.params.message;
  const { configuration } = envelope.params;
  return {
    id: newId(),
    ...envelope,
    method: envelope.method === 'message/stream' ? 'SendStreamingMessage' : 'SendMessage',
    params: {
      ...envelope.params,
      ...(isObject(configuration) ? { configuration: versionOneConfiguration(configuration) } : {}),
      message: { messageId: newId(), ...message, role: 'ROLE_USER', parts: message.parts.map(versionOnePart) },
    },
  };
};

export function planA2aCompliant(
  target: RoutableTarget,
  message: Uint8Array,
  options: { a2aWireForm: A2aWireForm; newId: () => string },
): OutboundPlan {
  const envelope = readEnvelope(message);
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
    body: writeJson(wire),
    isExchange: true,
    streaming,
  };
}
