import { type Received, type Rpc, type Sent, type UnaryMethod, RpcPayloadTooLargeError } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import { edgeLimits } from '../limits.ts';

/** What a question is asked for. */
export type Origin = Pick<FastifyRequest, 'id' | 'headers'>;

/**
 * The request's id and trace, for everything that the request causes. Whether a trace is recorded is for the span of the request to say, which replaces this
 * context where there is one: a caller's own flag would have the other services record what they like.
 */
export function originOf(request: Origin): { correlationId: string; traceparent: string | undefined } {
  const { traceparent } = request.headers;
  const unrecorded = typeof traceparent === 'string' ? traceparent.replace(/..$/u, '00') : undefined;
  return { correlationId: request.id, traceparent: unrecorded };
}

/** Asks a service. Rejects with an RpcError; `toRefusal` maps it for clients. */
export function ask<Method extends UnaryMethod>(
  gateway: { rpc: Rpc },
  request: Origin,
  method: Method,
  input: Sent<Method['input']>,
  timeoutMs: number = edgeLimits.queryTimeoutMs,
): Promise<Received<Method['output']>> {
  return gateway.rpc.request(method, input, { ...originOf(request), timeoutMs });
}

/** Sends a command; the answer means that its events are durable. */
export function command<Method extends UnaryMethod>(
  gateway: { rpc: Rpc },
  request: Origin,
  method: Method,
  input: Sent<Method['input']>,
): Promise<Received<Method['output']>> {
  return ask(gateway, request, method, input, edgeLimits.commandTimeoutMs);
}

type PageRange = { limit: number; offset: number };

/**
 * Reads a page of a listing. If agents with very long texts make it larger than a message on the bus, it is read in halves, so that no
 * agent can break a listing for others.
 */
export async function readInHalves<Page>(
  range: PageRange,
  read: (range: PageRange) => Promise<Page>,
  join: (first: Page, second: Page) => Page,
): Promise<Page> {
  const { limit, offset } = range;
  try {
    return await read(range);
  } catch (error) {
    if (!(error instanceof RpcPayloadTooLargeError) || limit === 1) throw error;
    const half = Math.floor(limit / 2);
    const first = await readInHalves({ offset, limit: half }, read, join);
    return join(first, await readInHalves({ offset: offset + half, limit: limit - half }, read, join));
  }
}
