import { z } from 'zod';
import { errorBody } from '../errors.ts';
import { retryAfter, textHeader } from '../http/headers.ts';
import type { Headers, Route, RouteAnswer } from '../http/route.ts';

/**
 * The HTTP side of MCP (Model Context Protocol, "Transports"). The protocol and the tools describe the messages. The MCP server answers
 * these paths itself: they are not endpoints of the gateway.
 */

const sessionId = '3f6c0d1e9b8a4752a1c0e5d7f9b2a4c6d8e0f1a3b5c7d9e1f3a5b7c9d1e3f5a7';

const origin: Headers = {
  Origin: textHeader('For requests from web pages: an origin that this server allows.', 'http://127.0.0.1:8080'),
};
const sessionHeaders: Headers = {
  ...origin,
  'Mcp-Session-Id': textHeader('The session from the answer to `initialize`.', sessionId),
  'Mcp-Protocol-Version': textHeader('The negotiated version.', '2025-11-25'),
};

const answerHeaders: Headers = {
  'Cache-Control': textHeader('No cache may keep the answer.', 'no-store'),
  'Access-Control-Allow-Origin': textHeader('For a page of an allowed origin: that origin.', 'http://127.0.0.1:8080'),
  'Access-Control-Expose-Headers': textHeader('The headers that the page may read.', 'Mcp-Session-Id, X-Request-Id'),
  Vary: textHeader('For a page of an allowed origin.', 'Origin'),
};
const streamHeaders: Headers = {
  ...answerHeaders,
  'X-Accel-Buffering': textHeader('Asks reverse proxies to forward events at once.', 'no'),
};
const ofSession: Headers = { 'Mcp-Session-Id': textHeader('The session: send it with every request.', sessionId) };

const message = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
    id: z.union([z.string(), z.number()]).optional().describe('Identifies a request; its answer has the same id.'),
    method: z.string().optional().describe('The method, such as tools/call.'),
  })
  .meta({ id: 'McpMessage', description: 'A JSON-RPC 2.0 message of MCP.' });

const messages = z.union([message, z.array(message)]).describe('One message, or several in version 2025-03-26.');

export const mcpError = z
  .object({
    jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
    id: z.null().describe('The error belongs to no request.'),
    error: z
      .object({
        code: z.int().describe('The error code of JSON-RPC.'),
        message: z.string().describe('What is wrong, in words for a person.'),
        data: z
          .object({
            request_id: z.string().describe('The X-Request-Id of the answer.'),
            code: z.string().optional().describe('The code of the same refusal in the rest of the interface.'),
          })
          .describe('Further details.'),
      })
      .describe('What is wrong.'),
  })
  .meta({ id: 'McpError', description: 'A refusal of the MCP transport, as an error of JSON-RPC.' });

/** Broken HTTP is refused before the path is known. */
const anyError = z.union([mcpError, errorBody]).describe('A refusal of the MCP transport, or of broken HTTP.');

const refusal = (description: string, code: number, text: string, headers: Headers = {}): RouteAnswer => ({
  description,
  body: anyError,
  headers: { ...answerHeaders, ...headers },
  examples: {
    refused: {
      summary: description,
      value: {
        jsonrpc: '2.0',
        id: null,
        error: { code, message: text, data: { request_id: '0d7b0b8e-4a55-4f0e-9a0c-5b9a4b1f9d2e' } },
      },
    },
  },
});

const waiting = { 'Retry-After': retryAfter };
const refusals = {
  400: refusal(
    'The message, the session or the version is missing or broken.',
    -32_600,
    'Invalid Request: not a message of JSON-RPC 2.0',
  ),
  403: refusal(
    'Host or Origin does not belong to this server.',
    -32_000,
    'this origin is not allowed; the operator can add it to MCP_ALLOWED_ORIGINS',
  ),
  404: refusal(
    'There is no such session: initialize again.',
    -32_001,
    'Session not found: it has ended or never was; initialize again',
  ),
  413: refusal('The body is too large.', -32_000, 'the body is larger than this endpoint takes'),
  429: refusal(
    'This address has the maximum number of sessions.',
    -32_000,
    'this client address has as many MCP sessions as one may have; end some',
    waiting,
  ),
  500: refusal('A fault of the service.', -32_000, 'an unexpected error; look for the request_id in the log'),
  503: refusal(
    'Too many requests or streams are open, or sessions cannot be looked up.',
    -32_000,
    'this session has as many requests under way as one may have',
    waiting,
  ),
};
const notAcceptable = {
  406: refusal(
    'Accept does not name the type of the answer.',
    -32_000,
    'Not Acceptable: Client must accept text/event-stream',
  ),
};
const notJson = { 415: refusal('The body is not JSON.', -32_000, 'the body must be application/json') };

const accepted = (description: string, example: string): RouteAnswer => ({
  description,
  contentType: 'text/plain',
  body: z.string().describe('No content of interest.'),
  headers: { ...answerHeaders, ...ofSession },
  examples: { accepted: { summary: description, value: example } },
});

const events = (description: string, example: string): RouteAnswer => ({
  description,
  contentType: 'text/event-stream',
  body: z.string().describe('Server-sent events, each with a JSON-RPC message.'),
  headers: { ...streamHeaders, ...ofSession },
  examples: { events: { summary: description, value: example } },
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1.0.0' } },
};
const callTool = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'verify_agent', arguments: { agent_id: 'globex-translator' } },
};
const messageExamples = {
  initialize: { summary: 'The start of a session', value: initialize },
  call: { summary: 'A tool call', value: callTool },
};

/** Declared without `route`: the MCP server refuses in its own way, with the answers above. */
const mcpRoute = (
  definition: Omit<Route, 'tag' | 'credentials' | 'organisationScope' | 'errors' | 'withoutHead'>,
): Route => ({
  ...definition,
  tag: 'MCP',
  credentials: ['none', 'agent', 'organisation'],
  // A session is no credential: each tool's route looks at the scopes.
  organisationScope: 'any',
  errors: [],
  withoutHead: true,
});
const credentialsText =
  'The tools act with the credentials of the request that calls them: Authorization and X-API-KEY, either or both. A session is no credential.';

export const mcpTransportRoutes: readonly Route[] = [
  mcpRoute({
    method: 'POST',
    path: '/mcp-http/mcp',
    operationId: 'postMcpMessage',
    summary: 'MCP over streamable HTTP: messages of the client',
    description: `The recommended transport. Accept \`application/json\` and \`text/event-stream\`. Begin with \`initialize\`; the answer names the session. ${credentialsText}`,
    headers: sessionHeaders,
    body: messages,
    bodyExamples: messageExamples,
    answers: {
      200: events('The answers, as events.', 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'),
      202: accepted('Accepted messages that have no answer.', ''),
      ...refusals,
      ...notAcceptable,
      ...notJson,
    },
  }),

  mcpRoute({
    method: 'GET',
    path: '/mcp-http/mcp',
    operationId: 'listenToMcp',
    summary: 'MCP over streamable HTTP: a stream of the session',
    description:
      'With Last-Event-ID: the answers missed since then. Without: a stream that stays open as long as the session.',
    headers: { ...sessionHeaders, 'Last-Event-ID': textHeader('The last received event.', '1_2') },
    answers: { 200: events('A stream.', ': open\n\n'), ...refusals, ...notAcceptable },
  }),

  mcpRoute({
    method: 'DELETE',
    path: '/mcp-http/mcp',
    operationId: 'endMcpSession',
    summary: 'MCP over streamable HTTP: the end of a session',
    description: 'Ends its requests and streams at every gateway, and drops a key that was set for it.',
    headers: sessionHeaders,
    answers: { 200: accepted('The session has ended.', ''), ...refusals, ...notJson },
  }),

  mcpRoute({
    method: 'GET',
    path: '/mcp/sse',
    operationId: 'openLegacyMcp',
    summary: 'MCP with server-sent events, the older transport: the stream',
    description: `The first event, \`endpoint\`, names the address for messages; answers come as events. ${credentialsText}`,
    headers: origin,
    answers: {
      200: {
        ...events('The stream.', 'event: endpoint\ndata: /mcp/messages?sessionId=3f6c0d1e\n\n'),
        headers: streamHeaders,
      },
      ...refusals,
    },
  }),

  mcpRoute({
    method: 'POST',
    path: '/mcp/messages',
    operationId: 'postLegacyMcpMessage',
    summary: 'MCP with server-sent events, the older transport: messages of the client',
    description: `One message in a body; its answer comes in the stream, which may be open at another gateway. ${credentialsText}`,
    headers: origin,
    query: z.object({ sessionId: z.string().describe('The session from the stream.') }),
    body: message,
    bodyExamples: messageExamples,
    answers: {
      202: { ...accepted('The message was accepted.', 'Accepted'), headers: answerHeaders },
      ...refusals,
      ...notJson,
    },
  }),
];
