import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '@agent-trust/contracts';
import { RpcCancelledError } from '@agent-trust/nats-rpc';
import type { Span } from '@opentelemetry/api';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EarlyPermit } from '../features/call/call.ts';
import { consoleUrl } from '../features/console/console.ts';
import { answerFromMemory } from '../features/discover/answer-from-memory.ts';
import type { Gateway } from '../gateway.ts';
import { edgeLimits } from '../limits.ts';
import { createRequestLog } from './access-log.ts';
import { compressAnswers } from './compress.ts';
import { createCors } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import { createClientErrorAnswer } from './client-error.ts';
import { errorAnswer, limitedBy } from './error-answer.ts';
import { isKnownHost, unknownHost } from './known-hosts.ts';
import { countLongBodies } from './held-body.ts';
import { createPipelining } from './pipelining.ts';
import { keepWhileSending, takeJsonBodies } from './read-body.ts';
import { dropRestsSlowly } from './rests.ts';
import { createRefuse, expectationFailed, soundRequests } from './request-form.ts';
import { requestIdOf } from './request-id.ts';
import { measureRequests, refusalsOf } from './request-metrics.ts';
import { type KnownPaths, noRoute, watchPaths, addEndpoint } from './routes.ts';
import { requestTracer, traceRequests } from './tracing.ts';

/** The HTTP server with all its routes; not listening yet. @param addMore Adds routes that are not part of the interface. */
export function createServer(
  gateway: Gateway,
  endpoints: readonly Endpoint[],
  addMore: (app: FastifyInstance) => void,
): FastifyInstance {
  const { access, unserved } = createRequestLog(gateway.logger, gateway.settings.ACCESS_LINES_PER_SECOND);
  const logAccess = measureRequests(access, () => schemeOf(gateway));
  const pipelining = createPipelining();
  const answerClientError = createClientErrorAnswer(pipelining, logAccess);
  const app = fastify({
    // `logAccess` and `answerError` log without secrets; fastify would log URLs.
    logger: false,
    bodyLimit: limits.bodyBytesMax, // Each route sets its own.
    connectionTimeout: 0, // A quiet event stream is not a dead connection; requestTimeout and keepAliveTimeout bound the rest.
    requestTimeout: edgeLimits.requestTimeoutMs,
    keepAliveTimeout: edgeLimits.keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: gateway.settings.TRUST_PROXY ?? false,
    exposeHeadRoutes: false,
    // These guard fastify's own JSON parser, which `takeJsonBodies` removes.
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    requestIdHeader: false,
    genReqId: requestIdOf,
    rewriteUrl: ({ method, url = '' }) => (gateway.console === null ? url : consoleUrl(method, url)),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // No hook runs for these errors.
      applyCors(request as FastifyRequest, reply as FastifyReply);
      void answerError(error, request as FastifyRequest, reply as FastifyReply);
    },
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // The header limit bounds a path; schemas check ids.
      maxParamLength: edgeLimits.headerBytesMax,
    },
    http: {
      maxHeaderSize: edgeLimits.headerBytesMax,
      headersTimeout: edgeLimits.headersTimeoutMs,
      insecureHTTPParser: false,
      // Node would drop the second of two Authorization headers; joined, they match nothing.
      joinDuplicateHeaders: true,
      // `soundRequests` checks it and answers in the usual form.
      requireHostHeader: false,
    },
  });
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, headers, body } = errorAnswer(error, request.id);
    refusalsOf(routeOf(request), body.code).add();
    request.limitedBy = limitedBy(error);
    if (body.code === 'internal') gateway.logger.error({ err: error, request_id: request.id }, 'request failed');
    // A client that disconnects is no fault.
    else if (error instanceof RpcCancelledError) gateway.logger.info({ request_id: request.id }, 'the client left');
    else if (status >= 503) unserved(error, request.id);
    keepWhileSending(request, reply);
    reply.raw.setHeader('x-request-id', request.id);
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
  };
  const applyCors = createCors(
    app,
    gateway.settings.CORS_ALLOWED_ORIGINS,
    endpoints.map(({ route }) => route),
  );
  compressAnswers(app);
  app.server.maxConnections = edgeLimits.connectionsMax;
  app.decorateRequest('rawBody', null);
  app.decorateRequest('earlyPermit', null);
  app.decorateRequest('span', null);
  app.decorateRequest('limitedBy', undefined);
  countLongBodies(app, gateway.bodyBytes);
  takeJsonBodies(app);
  const tracer = requestTracer(gateway);
  traceRequests(app, tracer);

  const paths = watchPaths(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setMaxListeners(edgeLimits.answerListenersMax);
    reply.raw.setHeader('x-request-id', request.id);
    reply.raw.setHeader('x-content-type-options', 'nosniff');
    if (!applyCors(request, reply)) done(checkRequest(paths, gateway, request));
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // A client that keeps the connection would send its next request to a stopping gateway.
    if (!app.server.listening) reply.header('connection', 'close');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id } = request;
    logAccess(method, routeOf(request), reply.raw.statusCode, reply.elapsedTime, id, request.limitedBy);
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request) => {
    throw noRoute(paths, request.method, request.raw.url ?? '');
  });

  for (const endpoint of endpoints) addEndpoint(app, gateway, endpoint);
  addMore(app);
  const refuse = createRefuse(logAccess);
  const framework = app.server.listeners('request')[0] as RequestListener;
  const answer = soundRequests(refuse, answerFromMemory(gateway, app.server, { logAccess, tracer }, framework));
  app.server
    .removeAllListeners('request')
    .on('request', dropRestsSlowly(pipelining.oneAtATime(answer), gateway.stopping))
    .on('checkExpectation', (request, response) => refuse(request, response, expectationFailed()))
    .on('connect', (_request, socket: Socket) =>
      answerClientError(Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket),
    );
  return app;
}

/** Of the address that clients use: the gateway itself speaks plain HTTP. */
const schemeOf = ({ baseUrl }: Gateway): 'http' | 'https' => (baseUrl.startsWith('https:') ? 'https' : 'http');

/** The route's template; null if there is none. */
const routeOf = (request: FastifyRequest): string | null => (request.is404 ? null : (request.routeOptions.url ?? null));

/** Requests that no route may get: for another host, and of unknown paths, before the body is read. */
const checkRequest = (paths: KnownPaths, gateway: Gateway, request: FastifyRequest): Error | undefined => {
  const { raw } = request;
  const { host } = raw.headers;
  // A page cannot leave Host out.
  if (host !== undefined && request.routeOptions.config.checksHost !== false && !isKnownHost(gateway, host)) {
    return unknownHost();
  }
  return request.is404 ? noRoute(paths, request.method, raw.url ?? '') : undefined;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body, on routes that need them. */
    rawBody: Buffer | null;
    /** The permit of a call with a long body. */
    earlyPermit: EarlyPermit | null;
    /** Only while telemetry is on. */
    span: Span | null;
    /** Whose own limit refused it. */
    limitedBy: 'caller' | undefined;
  }
  interface FastifyContextConfig {
    keepsRawBody?: boolean;
    /** False where any Host is answered, or where the route refuses unknown ones in its own form. */
    checksHost?: boolean;
    /** Reads a JSON body in place of JSON.parse; throws for invalid JSON. */
    parsesBody?: ((bytes: Buffer) => unknown) | undefined;
  }
}
