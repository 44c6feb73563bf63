import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { jsonObject } from './agent-fields.ts';

/** The options that set the message of a call. */
export type MessageInput = {
  text?: string | undefined;
  data?: string | undefined;
  message?: string | undefined;
  stream: boolean;
};

/**
 * The message of a call: a part of text, a part of data, or a whole message. A text is sent unchanged, even if it starts with @: others may have
 * written it, and it must not name a file of this machine. @throws UsageError unless there is exactly one of them.
 */
export async function messageOf(input: MessageInput, io: Pick<Io, 'readStdin'>): Promise<Record<string, unknown>> {
  const { text, data, message, stream } = input;
  const given = [text, data, message].filter((one) => one !== undefined);
  if (given.length !== 1) throw new UsageError('say one thing: a text, --data or --message');
  if (message !== undefined) return jsonObject(message, '--message', io);
  const part =
    data === undefined
      ? { kind: 'text', content_type: 'text/plain', content: text === '-' ? await io.readStdin() : text }
      : { kind: 'data', content_type: 'application/json', content: await jsonObject(data, '--data', io) };
  return {
    jsonrpc: '2.0',
    id: 1,
    method: stream ? 'message/stream' : 'message/send',
    params: { message: { role: 'user', parts: [part] } },
  };
}
