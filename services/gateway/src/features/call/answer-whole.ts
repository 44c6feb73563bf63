import { isUtf8 } from 'node:buffer';
import { DomainError, limits } from '@agent-trust/contracts';
import { isJson } from '@agent-trust/json-text';
import { createChunkJoiner } from '@agent-trust/safe-fetch';
import type { FastifyReply } from 'fastify';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { errorAnswer } from '../../http/error-answer.ts';
import { type CallParties, callResponse, callResponseText } from './call-response.ts';
import type { OpenedCall } from './open-call.ts';

/**
 * The JSON text that answers a call with the agent's whole answer, once its exchange is recorded and readable. An agent's answer cannot be
 * requested again, so if the log or the read model fails afterwards, the body of the 503 contains it.
 */
export async function answerWhole(
  gateway: Gateway,
  reply: FastifyReply,
  parties: CallParties,
  call: OpenedCall,
): Promise<string> {
  const bytes = await collect(call.body);
  const { position, fallbackAgentId, endIsRecorded } = await call.trailer;
  const response = callResponse(parties, call.head, fallbackAgentId, gateway.baseUrl);
  const body = bodyText(bytes, call.head.contentType);
  const fault = endIsRecorded ? await readFault(gateway, position) : unrecorded();
  if (fault === null) return callResponseText(response, body);
  gateway.logger.warn(
    { err: fault, request_id: reply.request.id },
    'a call was answered, but its exchange cannot be read',
  );
  const error = errorAnswer(fault, reply.request.id);
  reply.code(error.status).headers(error.headers);
  return callResponseText({ ...error.body, ...response }, body);
}

const unrecorded = (): DomainError =>
  new DomainError(
    'unavailable',
    'the agent has answered, and this is its answer, but the end of the exchange could not be recorded: it will count as abandoned; do not repeat the call',
  );

const readFault = async (gateway: Gateway, position: string | null): Promise<DomainError | null> => {
  if (position === null) return null;
  try {
    await untilReadable(gateway, position);
    return null;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'read_model_behind') return error;
    throw error;
  }
};

/** The bytes of an answer. The proxy limits them too; leaving the iteration early cancels the call. */
const collect = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const bytes = createChunkJoiner();
  for await (const chunk of body) {
    bytes.add(chunk);
    if (bytes.size > limits.callAnswerBytesMax) {
      throw new DomainError('downstream_failed', `the agent answered more than ${limits.callAnswerBytesMax} bytes`);
    }
  }
  return bytes.joined();
};

const jsonType = /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json$/u;
const textType =
  /^(?:text\/.*|application\/(?:[a-z0-9!#$&^_.-]+\+)?(?:xml|yaml|toml|javascript|ecmascript|graphql|x-www-form-urlencoded|x-ndjson|jsonl))$/u;

/**
 * An agent's answer as JSON text. JSON objects and arrays stay as they are, byte for byte, so that no number loses digits and nesting may be
 * of any depth. Other JSON values must not be alone in `body`: a string stays that string, the others become a string of their JSON
 * text. Text is a string. Bytes of any other type are base64.
 */
export function bodyText(bytes: Buffer, contentType: string | null): string {
  if (bytes.length === 0) return '""';
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (jsonType.test(type)) return jsonBody(decodeText(bytes, contentType));
  if (textType.test(type) || (type === '' && isUtf8(bytes))) return JSON.stringify(decodeText(bytes, contentType));
  return JSON.stringify(bytes.toString('base64'));
}

/** An answer that is declared as JSON and is not JSON is text. */
const jsonBody = (text: string): string => {
  if (!isJson(Buffer.from(text))) return JSON.stringify(text);
  const bare = text.trim();
  return /^[[{"]/u.test(bare) ? bare : JSON.stringify(bare);
};

/** Text in the charset that its type names, else UTF-8, without a byte order mark; invalid bytes become U+FFFD. */
const decodeText = (bytes: Buffer, contentType: string | null): string => {
  const label = /;\s*charset\s*=\s*"?([^";\s]+)/iu.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};
