import {
  type AgentIdentity,
  DomainError,
  relayBodySendMs,
  relayMarginMs,
  relayOverheadMs,
  relayPayment,
} from '@agent-trust/contracts';
import { type OpenedStream, RpcCancelledError } from '@agent-trust/nats-rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';
import { clientGone } from '../../http/client-gone.ts';
import { edgeLimits } from '../../limits.ts';
import { clientOf } from '../../rate-limit/client-address.ts';
import { refusedTarget } from '../call/failed-call.ts';
import { headersPassedOn, type PassedBody } from './passed-on.ts';

export type OpenedRelay = OpenedStream<typeof relayPayment>;

export type Payment = {
  agentId: string;
  payer: AgentIdentity | null;
  callerAgentId: string | null;
  callRef: string | null;
  /** As the client sent it, without its question mark. */
  query: string;
  body: PassedBody | undefined;
};

/**
 * Sends a request to a pay-proxy; resolves when the agent has begun to answer and its settlement is recorded. @throws payload_too_large of
 * the body, and each RpcError.
 */
export async function openRelay(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  { agentId, payer, callerAgentId, callRef, query, body }: Payment,
): Promise<OpenedRelay> {
  const input = {
    agentId,
    method: request.method === 'GET' ? ('GET' as const) : ('POST' as const),
    payer: payer === null ? null : { agentId: payer.agentId, universe: payer.universe },
    anonymousId: payer === null ? gateway.anonymousIdOf(clientOf(request.ip)) : null,
    callerAgentId,
    callRef,
    query,
    headers: headersPassedOn(request),
    hasBody: body !== undefined,
  };
  const agentTimeMs = gateway.settings.CALL_TIMEOUT_MS;
  try {
    return await gateway.rpc.openStream(relayPayment, input, {
      ...originOf(request),
      body: body?.bytes,
      signal: clientGone(reply),
      // The agent's time begins when it has the body, which the client may send slowly.
      headTimeoutMs: agentTimeMs + relayOverheadMs + (body?.isStillComing === true ? relayBodySendMs : 0),
      idleTimeoutMs: Math.max(agentTimeMs + relayMarginMs, edgeLimits.callIdleTimeoutMs),
    });
  } catch (error) {
    // A stream whose body failed is cancelled; the client gets the fault of the body.
    if (error instanceof RpcCancelledError && error.cause instanceof DomainError) throw error.cause;
    throw refusedTarget(error) ?? error;
  }
}
