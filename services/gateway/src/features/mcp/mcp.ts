import type { NatsConnection } from '@nats-io/transport-node';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { corsRulesOf, limits, mcpTransportRoutes } from '@agent-trust/contracts';
import type { Gateway } from '../../gateway.ts';
import { registrySecretsOf } from '../../settings.ts';
import { corsHeaders, preflightHeaders } from '../../http/cors.ts';
import { ignoreBodies, keepWhileSending, takeJsonBodies } from '../../http/read-body.ts';
import { createOwnerLimiter } from '../../concurrency/caller-limiter.ts';
import { endCancelledRoutes } from './invoke-route.ts';
import { mcpLimits } from './limits.ts';
import type { CreateMcpServer, McpCore } from './mcp-core.ts';
import { mcpErrorAnswer } from './mcp-refusal.ts';
import { joinPeers } from './peers/peers.ts';
import { createKeptEvents } from './kept-events.ts';
import { deriveMcpKeys } from './sealing.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createHeldSessions, legacyMessage, legacyStream, messagesPath } from './transport/legacy.ts';
import { checkHostAndOrigin } from './transport/host-and-origin.ts';
import { createOpenStreams } from './transport/event-stream.ts';
import { createOutflow } from './transport/outflow.ts';
import { createRunningRequests } from './transport/running-requests.ts';
import { streamableDelete, streamableGet, streamablePost } from './transport/streamable.ts';

const streamablePath = '/mcp-http/mcp';
const legacyPath = '/mcp/sse';

/** Both transports have the same headers: clients send those of either. */
const forPages = corsRulesOf(mcpTransportRoutes);

/** The MCP server: streamable HTTP, and the older transport with server-sent events. */
export function createMcp(
  gateway: Gateway,
  connection: NatsConnection,
  createServer: CreateMcpServer,
): (app: FastifyInstance) => void {
  return (app) => {
    const keys = deriveMcpKeys(registrySecretsOf(gateway.settings));
    const held = createHeldSessions();
    const running = createRunningRequests();
    const streams = createOpenStreams();
    const peers = joinPeers(
      connection,
      keys,
      {
        onMessage: ({ sessionId, caller, message }) =>
          held.take(core, sessionId, caller, JSONRPCMessageSchema.parse(message)),
        onNews: (news) => {
          if (news.kind === 'cancel') running.cancel(news.sessionId, news.caller, news.requestKey);
          else {
            running.cancelAll(news.sessionId);
            streams.endAllOf(news.sessionId);
          }
        },
      },
      (err) => gateway.logger.warn({ err }, 'a message for an MCP session could not be taken in'),
    );
    const core: McpCore = {
      gateway,
      app,
      createServer,
      keys,
      sessions: createSessionStore(gateway.jetstream, keys),
      events: createKeptEvents(gateway.jetstream, keys),
      peers,
      running,
      streams,
      outflow: createOutflow({ ownMax: mcpLimits.streamWaitingBytesMax, allMax: mcpLimits.waitingBytesMax }),
      requestLimiter: createOwnerLimiter(mcpLimits.requests),
      origins: new Set(gateway.settings.MCP_ALLOWED_ORIGINS),
    };
    endCancelledRoutes(app);
    app.addHook('preClose', (done) => {
      held.stop();
      // Their clients continue at another gateway, in the same session.
      streams.endAll((sessionId) => !held.isHeld(sessionId));
      done();
    });
    app.addHook('onClose', (_app, done) => {
      peers.close();
      done();
    });
    addRoutes(core, {
      [streamablePath]: {
        GET: (request, reply) => streamableGet(core, request, reply),
        POST: (request, reply) => streamablePost(core, request, reply),
        DELETE: (request, reply) => streamableDelete(core, request, reply),
      },
      [legacyPath]: { GET: (request, reply) => legacyStream(core, held, request, reply) },
      [messagesPath]: { POST: (request, reply) => legacyMessage(core, held, request, reply) },
    });
  };
}

type Handlers = Record<string, (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>>;

const addRoutes = (core: McpCore, handlersByPath: Record<string, Handlers>): void => {
  for (const [url, ofPath] of Object.entries(handlersByPath)) {
    const methods = Object.keys(ofPath);
    const headers = { allow: [...methods, 'OPTIONS'].join(', '), ...preflightHeaders({ ...forPages, methods }) };
    const handlers: Handlers = {
      ...ofPath,
      OPTIONS: async (_request, reply) => reply.code(204).headers(headers).send(),
    };
    for (const [method, handler] of Object.entries(handlers)) {
      core.app.register((scope, _options, done) => {
        checkAndAnswer(core, scope);
        if (method === 'POST') takeJsonBodies(scope);
        else ignoreBodies(scope);
        scope.route({ method, url, bodyLimit: limits.bodyBytesMax, config: { checksHost: false }, handler });
        done();
      });
    }
  }
};

/** Checks Host and Origin first, and answers errors in MCP's form. */
const checkAndAnswer = ({ gateway, origins }: McpCore, scope: FastifyInstance): void => {
  scope.addHook('onRequest', (request, reply, done) => {
    checkHostAndOrigin(request.headers, gateway, origins);
    const { origin } = request.headers;
    reply.header('cache-control', 'no-store');
    if (origin !== undefined && origins.has(origin))
      reply.headers({ vary: 'Origin', ...corsHeaders(origin, forPages) });
    done();
  });
  scope.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = mcpErrorAnswer(error, request.id);
    if (status >= 500)
      gateway.logger.warn({ err: error, request_id: request.id }, 'an MCP message could not be served');
    keepWhileSending(request, reply);
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
  });
};
