import { ROOT_CONTEXT, propagation, trace } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientOf } from '../../rate-limit/client-address.ts';

/** The parts of an MCP request that routes get. Plain data, so that another gateway can continue with it. */
export const mcpCaller = z.object({
  requestId: z.string(),
  /** Of the connection, at the gateway that received the message. */
  remoteAddress: z.string(),
  /** The client's address, or its network. */
  client: z.string(),
  headers: z.record(z.string(), z.string()),
});
export type McpCaller = Readonly<z.output<typeof mcpCaller>>;

/** Headers of a message that its tools' routes get: credentials, origin and trace. A signature is not passed on: it covers the message. */
const passedOn = [
  'authorization',
  'x-api-key',
  'x-forwarded-for',
  'host',
  'origin',
  'traceparent',
  'tracestate',
] as const;

/** The caller of a request. Call it before any wait: a closed connection has no address. */
export function callerOf({ id, ip, socket, headers: sent, span }: FastifyRequest): McpCaller {
  const headers: Record<string, string> = {};
  for (const name of passedOn) {
    const value = sent[name];
    if (value !== undefined) headers[name] = String(value);
  }
  if (span !== null) propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers);
  return { requestId: id, remoteAddress: socket.remoteAddress ?? '', client: clientOf(ip), headers };
}

/** Two messages are the same caller's if their credentials are equal, or, without credentials, their addresses. */
export function identityOf({ headers, client }: McpCaller): readonly (string | null)[] {
  const credentials = [headers['authorization'] ?? null, headers['x-api-key'] ?? null];
  return credentials.every((credential) => credential === null) ? [...credentials, client] : credentials;
}
