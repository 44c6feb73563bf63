import { DomainError, limits } from '@agent-trust/contracts';
import type { FastifyReply } from 'fastify';
import { untilReadable } from '../bus/read-your-writes.ts';
import type { Gateway } from '../gateway.ts';
import { bodyText } from './answer-body.ts';
import { type CallParties, callResponse, callResponseText } from './call-response.ts';
import type { OpenedCall } from './open-call.ts';

/** The JSON text that answers a call with the agent's whole answer, once its exchange is on record and readable. */
export const answerWhole = async (
  gateway: Gateway,
  reply: FastifyReply,
  parties: CallParties,
  call: OpenedCall,
): Promise<string> => {
  const bytes = await collect(call.body);
  const { position, fallbackAgentId } = await call.trailer;
  if (position !== null) await untilReadable(gateway, reply.request, position, known(call));
  const response = callResponse(parties, call.head, fallbackAgentId, gateway.baseUrl);
  return callResponseText(response, bodyText(bytes, call.head.contentType));
};

const known = ({ head }: OpenedCall): Record<string, unknown> =>
  head.transactionId === null ? {} : { transaction_id: head.transactionId };

/** The bytes of an answer. The proxy bounds them too; leaving the iteration early cancels the call. */
const collect = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limits.callAnswerBytesMax) {
      throw new DomainError('downstream_failed', `the agent answered more than ${limits.callAnswerBytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
};
