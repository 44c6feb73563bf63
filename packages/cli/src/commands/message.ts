import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { jsonObject } from './agent-fields.ts';

/** What a call says, by the options that give it. */
export type Said = {
  text?: string | undefined;
  data?: string | undefined;
  message?: string | undefined;
  stream: boolean;
};

/**
 * The message of a call: one part of text, one of data, or a whole message as it is, for agents that speak something else. A text is sent as
 * it stands, whatever it begins with: what somebody else wrote must not name a file of this machine.
 *
 * @throws UsageError when it is none of them, or two.
 */
export async function messageOf(said: Said, io: Pick<Io, 'readStdin'>): Promise<Record<string, unknown>> {
  const { text, data, message, stream } = said;
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
