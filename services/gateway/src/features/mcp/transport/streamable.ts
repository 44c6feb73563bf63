import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  isInitializeRequest,
  isJSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeptEvent } from '../kept-events.ts';
import { mcpLimits } from '../limits.ts';
import { serverFor } from '../server-for.ts';
import { type McpCaller, callerOf } from '../mcp-caller.ts';
import type { McpCore } from '../mcp-core.ts';
import { invalidRequest, McpRefusal, badRequest, rpcCodes } from '../mcp-refusal.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import { eventStreamHeaders, type EventStream, openEventStream } from './event-stream.ts';
import { applyCancellations, isAnswer, messagesOf, sessionOf, versionOf, checkVersion } from './messages.ts';
import { type OutflowBody, sendOutflow } from './outflow.ts';
import { beginWork, requestKeyOf } from './running-requests.ts';

/**
 * POST of streamable HTTP. Each has a server and an SDK transport of its own, which know no session: all state that outlives a request is in
 * the store that the gateways share, so a message may reach any of them.
 */
export async function streamablePost(core: McpCore, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const messages = messagesOf(request.body);
  const caller = callerOf(request);
  if (!messages.some(isInitializeRequest)) {
    const { id, record } = await sessionOf(core, request);
    return answerMessages(core, { request, reply, messages, caller, sessionId: id, record });
  }
  if (messages.length > 1) {
    throw invalidRequest('Only one initialization request is allowed');
  }
  const id = await core.sessions.open(caller.client, null);
  try {
    return await answerMessages(core, { request, reply, messages, caller, sessionId: id, record: null });
  } catch (error) {
    await core.sessions.end(id);
    throw error;
  }
}

type Posted = {
  request: FastifyRequest;
  reply: FastifyReply;
  messages: JSONRPCMessage[];
  caller: McpCaller;
  sessionId: string;
  record: SessionRecord | null;
};

const answerMessages = async (core: McpCore, posted: Posted): Promise<unknown> => {
  const { request, reply, messages, caller, sessionId, record } = posted;
  applyCancellations(core, sessionId, caller, messages);
  const requests = messages.filter(isJSONRPCRequest);
  const mayReconnect = canReconnect(request, requests);
  const transport = new WebStandardStreamableHTTPServerTransport({
    keepAliveMs: mcpLimits.keepAliveMs,
    retryInterval: mcpLimits.retryMs,
    ...(mayReconnect ? { eventStore: storeOf(core, posted, requests) } : {}),
  });
  const server = serverFor(core, sessionId, caller, record);
  const work = beginWork(core, { sessionId, caller, requests, close: () => void server.close() });
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    try {
      await send(message, options);
    } finally {
      if (isAnswer(message) && 'id' in message && message.id !== undefined) work.answered(requestKeyOf(message.id));
    }
  };
  if (reply.raw.destroyed) work.clientLeft(mayReconnect);
  reply.raw.once('close', () => work.clientLeft(mayReconnect));
  try {
    // The SDK is compiled without exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    const response = await transport.handleRequest(asWebRequest(request), { parsedBody: request.body });
    if (response.status >= 400) throw await refusalIn(response);
    reply.code(response.status).header('mcp-session-id', sessionId);
    if (response.body === null) {
      work.end();
      return reply.send('');
    }
    const out = core.outflow.open();
    passOn(response.body, out).catch((error: Error) => void out.body.destroy(error));
    return sendOutflow(reply.headers(eventStreamHeaders), out.body);
  } catch (error) {
    work.end();
    throw error;
  }
};

/** Tool calls of clients that can resume: repeating any other request costs no more than fetching its answer. */
const canReconnect = (request: FastifyRequest, requests: readonly JSONRPCRequest[]): boolean =>
  versionOf(request) >= '2025-11-25' && requests.some(({ method }) => method === 'tools/call');

const storeOf = ({ events, gateway }: McpCore, { sessionId, caller }: Posted, requests: readonly JSONRPCRequest[]) =>
  events.storeFor(
    sessionId,
    caller,
    requests.map(({ id }) => id),
    (err) =>
      gateway.logger.warn(
        { err, request_id: caller.requestId },
        'an answer could not be kept for a client that may reconnect',
      ),
  );

/** The parts that the transport reads; the body has been read. */
const asWebRequest = ({ headers }: FastifyRequest): Request =>
  new Request('http://mcp.invalid/', {
    method: 'POST',
    headers: Object.fromEntries(
      (['accept', 'content-type', 'mcp-protocol-version'] as const).flatMap((name) => {
        const value = headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      }),
    ),
  });

/** Reads the transport's output as it comes: in the transport it would accumulate without bounds for a client that does not read. */
const passOn = async (output: ReadableStream<Uint8Array>, out: OutflowBody): Promise<void> => {
  const reader = output.getReader();
  out.body.once('close', () => void reader.cancel().catch(() => undefined));
  for (let next = await reader.read(); !next.done; next = await reader.read()) out.write(next.value);
  out.end();
};

const refusalIn = async (response: Response): Promise<McpRefusal> => {
  const { error } = (await response.json()) as { error: { code: number; message: string } };
  return new McpRefusal(response.status, error.code, error.message);
};

/**
 * GET of streamable HTTP: with Last-Event-ID the answers that a client has missed, at whichever gateway; without it a stream that stays open
 * as long as the session, on which this server sends nothing of its own.
 */
export async function streamableGet(core: McpCore, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (request.headers.accept?.includes('text/event-stream') !== true) {
    throw new McpRefusal(406, rpcCodes.refused, 'Not Acceptable: Client must accept text/event-stream');
  }
  const caller = callerOf(request);
  const { id } = await sessionOf(core, request);
  checkVersion(request);
  const stream = core.streams.open(id, caller.client, () =>
    openEventStream(core.outflow, async () => (await core.sessions.find(id)) !== null),
  );
  const lastEventId = request.headers['last-event-id'];
  if (typeof lastEventId === 'string') {
    const missed = core.events.following(id, caller, lastEventId, stream.closed);
    if (missed === null) {
      stream.end();
      stream.body.resume();
      throw badRequest('Last-Event-ID is none that was sent in this session');
    }
    sendMissed(missed, stream).catch((err: unknown) => {
      core.gateway.logger.warn({ err, request_id: request.id }, 'missed answers could not be sent');
      stream.end();
    });
  }
  return sendOutflow(reply.headers({ ...eventStreamHeaders, 'mcp-session-id': id }), stream.body);
}

const sendMissed = async (missed: AsyncIterable<KeptEvent>, stream: EventStream): Promise<void> => {
  for await (const { id, message } of missed) stream.send({ name: 'message', id, data: JSON.stringify(message) });
  stream.end();
};

/** DELETE of streamable HTTP: ends a session with its requests, streams and key, at every gateway. */
export async function streamableDelete(core: McpCore, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { id } = await sessionOf(core, request);
  checkVersion(request);
  await core.sessions.end(id);
  core.running.cancelAll(id);
  core.streams.endAllOf(id);
  core.peers.tellAll({ kind: 'ended', sessionId: id });
  return reply.code(200).send('');
}
