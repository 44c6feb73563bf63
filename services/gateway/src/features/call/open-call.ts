import {
  callRequest,
  faultAt,
  limits,
  type Actor,
  type AgentIdentity,
  type CommandIds,
  callOverheadMs,
  executeCall,
} from '@agent-trust/contracts';
import { type JsonShape, readJson, jsonTextOf } from '@agent-trust/json-text';
import type { OpenedStream } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import { originOf } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';
import { edgeLimits } from '../../limits.ts';

/** A message stays text: as values, 10 MiB may take 140 MB, and a call holds its message until its agent has answered. */
const callShape: JsonShape = {
  members: {
    ...Object.fromEntries(Object.keys(callRequest.shape).map((name) => [name, {}])),
    forwarded_headers: { members: {}, others: true },
  },
};

/**
 * Reads the body of a call, in UTF-8, but leaves its message and unknown members as text, which to a schema is an empty object or array.
 * @throws SyntaxError for text that is not JSON; JsonBoundsError.
 */
export function parseCallBody(bytes: Buffer): unknown {
  const body = readJson(bytes, callShape, { membersMax: limits.bodyMembersMax, nestingMax: limits.bodyNestingMax });
  if (body === undefined) throw new SyntaxError('not JSON');
  return body;
}

export type OpenedCall = OpenedStream<typeof executeCall>;
type CallBody = {
  caller_agent_id: string;
  agent_id: string;
  /** As `parseCallBody` leaves it. */
  message: unknown;
  forwarded_headers?: Record<string, string> | null | undefined;
  method?: 'GET' | 'POST' | null | undefined;
};

/** How long a call may take to the head of its answer: the agent's time, and the waits of its proxy before and after. */
export function callMsMax({ settings }: Gateway): number {
  return settings.CALL_TIMEOUT_MS + callOverheadMs;
}

/** Opens a call at a call-proxy; resolves when the agent has begun to answer. `signal` ends it, the agent's request included. */
export function openCall(
  gateway: Gateway,
  request: FastifyRequest,
  caller: AgentIdentity,
  { credentials }: Actor,
  body: CallBody,
  { commandId, earlierCommandId, signal }: CommandIds & { signal: AbortSignal },
): Promise<OpenedCall> {
  const message = jsonTextOf(body.message);
  if (message === undefined) throw new Error('the message of a call must stay text');
  const input = {
    caller: { agentId: caller.agentId, orgId: caller.orgId, universe: caller.universe, credentials },
    messageBytes: message.length,
    callerAgentId: body.caller_agent_id,
    agentId: body.agent_id,
    method: body.method ?? null,
    forwardedHeaders: body.forwarded_headers ?? {},
    paymentHeaders: paymentHeaders(request),
    mcpSessionId: visibleHeader(request, 'mcp-session-id', edgeLimits.sessionIdCharsMax) ?? null,
    commandId,
    earlierCommandId,
  };
  return gateway.rpc.openStream(executeCall, input, {
    ...originOf(request),
    body: message,
    signal,
    headTimeoutMs: callMsMax(gateway),
    idleTimeoutMs: Math.max(callMsMax(gateway), edgeLimits.callIdleTimeoutMs),
  });
}

const paymentHeaders = (request: FastifyRequest): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const name of ['x-payment', 'payment-signature']) {
    const value = visibleHeader(request, name, edgeLimits.paymentHeaderCharsMax);
    if (value !== undefined) found[name] = value;
  }
  return found;
};

/** A header that is passed on: it must be visible ASCII or spaces. */
const visibleHeader = (request: FastifyRequest, name: string, charsMax: number): string | undefined => {
  const value = request.headers[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[\x20-\x7e]+$/u.test(value) && value.length <= charsMax) return value;
  throw faultAt('validation_failed', ['header', name], `must be 1 to ${charsMax} printable ASCII characters`);
};
