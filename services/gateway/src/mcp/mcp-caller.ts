import type { FastifyRequest } from 'fastify';
import { ROOT_CONTEXT, propagation, trace } from '@opentelemetry/api';

/** What the routes of the interface may know of the request that an MCP message came with. Plain data, so that it can be handed on. */
export type McpCaller = {
  readonly requestId: string;
  /** Of the connection, as it was seen by the gateway that took the message. */
  readonly remoteAddress: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Headers that travel from a message to the routes that its tools ask: its credentials, where it came from, and its trace. No other does: a
 * signature covers the message and not the request that is made of it.
 */
const passedOn = ['authorization', 'x-api-key', 'x-forwarded-for', 'host', 'traceparent', 'tracestate'] as const;

export const callerOf = ({ id, socket, headers: sent, span }: FastifyRequest): McpCaller => {
  const headers: Record<string, string> = {};
  for (const name of passedOn) {
    const value = sent[name];
    if (value !== undefined) headers[name] = String(value);
  }
  if (span !== null) propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers);
  return { requestId: id, remoteAddress: socket.remoteAddress ?? '', headers };
};
