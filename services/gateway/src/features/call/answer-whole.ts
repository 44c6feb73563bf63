import { isUtf8 } from 'node:buffer';
import { type AgentIdentity, DomainError, limits } from '@agent-trust/contracts';
import { isJson } from '@agent-trust/json-text';
import { BudgetFullError } from '@agent-trust/limits';
import { createChunkJoiner } from '@agent-trust/safe-fetch';
import type { FastifyReply } from 'fastify';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { errorAnswer } from '../../http/error-answer.ts';
import { isLongBody } from '../../http/held-body.ts';
import { edgeLimits } from '../../limits.ts';
import { type CallParties, callResponse, callResponseJson } from './call-response.ts';
import type { OpenedCall } from './open-call.ts';

/**
 * The JSON that answers a call with the agent's whole answer, once its exchange is recorded and readable; a long one as bytes. An agent's
 * answer cannot be requested again, so if the log or the read model fails afterwards, the body of the 503 contains it.
 */
export async function answerWhole(
  gateway: Gateway,
  reply: FastifyReply,
  { caller, ...parties }: CallParties & { caller: AgentIdentity },
  call: OpenedCall,
): Promise<string | Buffer> {
  // A proxy of an earlier version does not tell the length.
  const bodyBytes = Math.min(call.head.bodyBytes ?? Infinity, limits.callAnswerBytesMax);
  await holdAnswer(gateway, reply, caller, bodyBytes);
  const bytes = await collect(call.body, call.head.bodyBytes === null ? 0 : bodyBytes);
  const { position, fallbackAgentId, endIsRecorded } = await call.trailer;
  const response = callResponse(parties, call.head, fallbackAgentId, gateway.baseUrl);
  const body = bodyJson(bytes, call.head.contentType);
  const fault = endIsRecorded ? await readFault(gateway, position) : unrecorded();
  if (fault === null) return callResponseJson(response, body);
  gateway.logger.warn(
    { err: fault, request_id: reply.request.id },
    'a call was answered, but its exchange cannot be read',
  );
  const error = errorAnswer(fault, reply.request.id);
  reply.code(error.status).headers(error.headers);
  return callResponseJson({ ...error.body, ...response }, body);
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

/**
 * Waits until a long answer may be held, with the copies that are made of it; meanwhile it waits at its proxy. It is held until the client
 * has read it, for which it has a limited time.
 */
const holdAnswer = async (
  { answerBytes, logger }: Gateway,
  reply: FastifyReply,
  caller: AgentIdentity,
  bytes: number,
): Promise<void> => {
  if (!isLongBody(bytes)) return;
  const { copies, waitMs, readMs } = edgeLimits.longAnswers;
  try {
    const release = await answerBytes.acquireInTurn(caller, bytes * copies, waitMs);
    if (reply.raw.destroyed) return release();
    const timer = setTimeout(() => {
      logger.info({ request_id: reply.request.id }, 'a client that does not read its answer is disconnected');
      reply.raw.destroy();
    }, readMs);
    reply.raw.once('close', () => {
      clearTimeout(timer);
      release();
    });
  } catch (error) {
    if (!(error instanceof BudgetFullError)) throw error;
    throw new DomainError(
      'unavailable',
      'the agent has answered, but this gateway has no room to hold so long an answer now: it is lost; do not repeat the call',
      { cause: error },
    );
  }
};

/** The bytes of an answer. The proxy limits them too; leaving the iteration early cancels the call. */
const collect = async (body: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<Buffer> => {
  const bytes = createChunkJoiner(expectedBytes);
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
 * An agent's answer as JSON, in UTF-8. JSON objects and arrays stay as they are, byte for byte, so that no number loses digits and nesting may
 * be of any depth. Other JSON values must not be alone in `body`: a string stays that string, the others become a string of their JSON text.
 * Text is a string. Bytes of any other type are base64.
 */
export function bodyJson(bytes: Buffer, contentType: string | null): Buffer {
  if (bytes.length === 0) return Buffer.from('""');
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (jsonType.test(type))
    return jsonBody(isPlainUtf8(bytes, contentType) ? bytes : Buffer.from(decodeText(bytes, contentType)));
  if (textType.test(type) || (type === '' && isUtf8(bytes))) return stringOf(decodeText(bytes, contentType));
  return Buffer.from(`"${bytes.toString('base64')}"`);
}

/** An answer that is declared as JSON and is not JSON is text. */
const jsonBody = (json: Buffer): Buffer => {
  if (!isJson(json)) return stringOf(json.toString('utf8'));
  let start = 0;
  let end = json.length;
  while (isBlank(json[start])) start += 1;
  while (isBlank(json[end - 1])) end -= 1;
  const bare = json.subarray(start, end);
  return opensValue.has(bare[0]) ? bare : stringOf(bare.toString('utf8'));
};

const stringOf = (text: string): Buffer => Buffer.from(JSON.stringify(text));
const opensValue: ReadonlySet<number | undefined> = new Set(Buffer.from('[{"'));
/** Whitespace of JSON (RFC 8259 §2). */
const isBlank = (code: number | undefined): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

/** Whether the bytes are their own text in UTF-8: no other charset is named, and no byte order mark stands before it. */
const isPlainUtf8 = (bytes: Buffer, contentType: string | null): boolean =>
  charsetOf(contentType) === 'utf-8' && bytes[0] !== 0xef && isUtf8(bytes);

const charsetOf = (contentType: string | null): string =>
  (/;\s*charset\s*=\s*"?([^";\s]+)/iu.exec(contentType ?? '')?.[1] ?? 'utf-8').toLowerCase();

/** Text in the charset that its type names, else UTF-8, without a byte order mark; invalid bytes become U+FFFD. */
const decodeText = (bytes: Buffer, contentType: string | null): string => {
  try {
    return new TextDecoder(charsetOf(contentType)).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};
