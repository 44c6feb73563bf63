import { DomainError, limits } from '@agent-trust/contracts';
import type { FastifyReply } from 'fastify';
import { untilReadable } from '../bus/read-your-writes.ts';
import type { Gateway } from '../gateway.ts';
import { bodyText } from './answer-body.ts';
import { type CallParties, callResponse, callResponseText } from './call-response.ts';
import type { OpenedCall } from './open-call.ts';

/** Answers a call with the agent's whole answer in one JSON body, once its exchange is on record and readable. */
export const answerWhole = async (
  gateway: Gateway,
  reply: FastifyReply,
  parties: CallParties,
  call: OpenedCall,
): Promise<FastifyReply> => {
  const bytes = await collect(call.body);
  const { position, fallbackAgentId } = await call.trailer;
  if (position !== null) await untilReadable(gateway, reply.request, position, known(call));
  const response = callResponse(parties, call.head, fallbackAgentId, gateway.baseUrl);
  return reply
    .type('application/json; charset=utf-8')
    .send(callResponseText(response, bodyText(bytes, call.head.contentType)));
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
