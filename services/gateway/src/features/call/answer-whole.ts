import { DomainError, limits } from '@agent-trust/contracts';
import { createChunkJoiner } from '@agent-trust/safe-fetch';
import type { FastifyReply } from 'fastify';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { errorAnswer } from '../../http/error-answer.ts';
import { bodyText } from './answer-body.ts';
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
  const fault = endIsRecorded ? await readFault(gateway, reply, position) : unrecorded();
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

const readFault = async (
  gateway: Gateway,
  reply: FastifyReply,
  position: string | null,
): Promise<DomainError | null> => {
  if (position === null) return null;
  try {
    await untilReadable(gateway, reply.request, position);
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
