import type { Received, Sent, UnaryMethod } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import { originOf } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';
import { eventsLimits } from './limits.ts';

/** Puts a question that may wait for an event; `signal` ends the wait. */
export function askEvents<Method extends UnaryMethod>(
  gateway: Gateway,
  request: FastifyRequest,
  method: Method,
  input: Sent<Method['input']> & { waitMs: number },
  signal: AbortSignal | undefined,
): Promise<Received<Method['output']>> {
  return gateway.rpc.request(method, input, {
    ...originOf(request),
    timeoutMs: input.waitMs + eventsLimits.questionTimeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
}
