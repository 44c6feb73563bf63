import {
  type CancelledNotification,
  CancelledNotificationSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  InitializeRequestSchema,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import type { FastifyRequest } from 'fastify';
import { mcpLimits } from '../limits.ts';
import { badRequest, invalidParams, invalidRequest, sessionNotFound } from '../mcp-refusal.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import type { McpCore } from '../mcp-core.ts';
import type { McpCaller } from '../mcp-caller.ts';
import { requestKeyOf } from './running-requests.ts';

/** The messages in a body: one, or several in protocol version 2025-03-26. @throws McpRefusal 400 */
export function messagesOf(body: unknown): JSONRPCMessage[] {
  const given: unknown[] = Array.isArray(body) ? body : [body];
  if (given.length === 0 || given.length > mcpLimits.batchMax) {
    throw invalidRequest(`1 to ${mcpLimits.batchMax} messages in a body`);
  }
  return given.map((message) => {
    const parsed = JSONRPCMessageSchema.safeParse(message);
    if (!parsed.success) throw invalidRequest('not a message of JSON-RPC 2.0');
    ensureInitializeParams(parsed.data);
    return parsed.data;
  });
}

/** Before a session is looked for or begun. The SDK would answer with the whole report of its schema, as an internal error. */
const ensureInitializeParams = (message: JSONRPCMessage): void => {
  if (!('method' in message) || message.method !== 'initialize') return;
  const fault = InitializeRequestSchema.safeParse(message).error?.issues[0];
  // Deeper names are the client's own.
  const field = fault?.path.slice(0, 2).join('.');
  if (field !== undefined) throw invalidParams(`${field} of initialize is missing or not valid`);
};

export function isAnswer(message: JSONRPCMessage): boolean {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

/** Cancels requests that a client no longer wants answered, at whichever gateway they run. */
export function applyCancellations(
  core: McpCore,
  sessionId: string,
  caller: McpCaller,
  messages: readonly JSONRPCMessage[],
): void {
  for (const message of messages) {
    const cancelled = CancelledNotificationSchema.safeParse(message);
    const id = cancelled.success ? (cancelled.data as CancelledNotification).params.requestId : undefined;
    if (id === undefined) continue;
    const requestKey = requestKeyOf(id);
    if (core.running.cancel(sessionId, caller, requestKey)) continue;
    core.peers.tellAll({ kind: 'cancel', sessionId, caller, requestKey });
  }
}

/** Versions before 2025-06-18 have no such header. */
export function versionOf({ headers }: FastifyRequest): string {
  return String(headers['mcp-protocol-version'] ?? '2025-03-26');
}

/** @throws McpRefusal 400 */
export function checkVersion(request: FastifyRequest): void {
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(versionOf(request))) return;
  const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  throw badRequest(`Unsupported protocol version (supported versions: ${supported})`);
}

/**
 * The session of streamable HTTP that a request names. @throws McpRefusal 400 without an id, 404 for an unknown one; DomainError
 * unavailable.
 */
export async function sessionOf(
  core: McpCore,
  { headers }: FastifyRequest,
): Promise<{ id: string; record: SessionRecord }> {
  const id = headers['mcp-session-id'];
  if (typeof id !== 'string' || id === '') throw badRequest('Mcp-Session-Id header is required');
  const record = await core.sessions.find(id);
  // Sessions of the older transport are not valid here.
  if (record === null || record.heldBy !== null) throw sessionNotFound();
  return { id, record };
}
