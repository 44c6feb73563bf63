import type { MessageEnvelope, MessagePart } from '@agent-trust/contracts';
import { dataOf, isWebAddress } from './message.ts';

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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 1.0 asks the other way round whether the caller waits: `returnImmediately` in place of `blocking` (A2A 1.0, SendMessageConfiguration). */
const versionOneConfiguration = ({ blocking, ...others }: Record<string, unknown>): Record<string, unknown> => ({
  ...(typeof blocking === 'boolean' ? { returnImmediately: !blocking } : {}),
  ...others,
});

/** The caller's envelope in the words of A2A 1.0, whose JSON is that of protobuf. */
export function versionOneEnvelope(envelope: MessageEnvelope, newId: () => string): Record<string, unknown> {
  const message = envelope.params.message;
  const { kind: _kind, ...rest } = message;
  const { configuration } = envelope.params;
  return {
    id: newId(),
    ...envelope,
    method: envelope.method === 'message/stream' ? 'SendStreamingMessage' : 'SendMessage',
    params: {
      ...envelope.params,
      ...(isObject(configuration) ? { configuration: versionOneConfiguration(configuration) } : {}),
      message: { messageId: newId(), ...rest, role: 'ROLE_USER', parts: message.parts.map(versionOnePart) },
    },
  };
}

/** JSON-RPC errors by which a server says that it does not know the form it was sent: method not found, version not supported (1.0 §9.5). */
const otherFormErrors: ReadonlySet<unknown> = new Set([-32601, -32009]);

/** True when an answer says that the server wants the message in the other form, 1.0 or what came before. */
export function wantsOtherForm(answer: unknown): boolean {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'error' in answer &&
    typeof answer.error === 'object' &&
    answer.error !== null &&
    'code' in answer.error &&
    otherFormErrors.has(answer.error.code)
  );
}
