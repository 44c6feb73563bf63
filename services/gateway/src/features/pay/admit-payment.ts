import { finished } from 'node:stream';
import type { AgentIdentity } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { clientOf } from '../../rate-limit/client-address.ts';
import type { PassedBody } from './passed-on.ts';

/**
 * Takes a place for a payment until its answer is out, and for a body that is still to come a place until it is there.
 *
 * @param payer Null if nobody proves to be one.
 * @throws HttpRefusal too_many_calls; DomainError overloaded.
 */
export function admitPayment(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  payer: AgentIdentity | null,
  body: PassedBody | undefined,
): void {
  const holder = payer ?? { address: clientOf(request.ip) };
  // Held until the answer is out or the client has gone, whichever it was.
  finished(reply.raw, gateway.paymentPlaces.take(holder));
  if (body?.isStillComing === true) finished(request.raw, gateway.uploadPlaces.take(holder));
}
