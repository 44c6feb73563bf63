import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';

/** Spans of requests, by OpenTelemetry's conventions for HTTP servers: the parents of all that a request causes. */
export type RequestTracer = {
  start(request: TracedRequest): { span: Span; parent: Context };
  end(span: Span, status: number): void;
};

type TracedRequest = {
  method: string;
  headers: IncomingHttpHeaders;
  /** As `/agent/{agent_id}` in fastify's form; undefined if the request has none. */
  route: string | undefined;
  /** Without the query, which may contain a token. */
  path: string;
  requestId: string;
  /** When it began, by `performance.now()`, if not now. */
  startedAt?: number;
  /** A request of this gateway to itself, for a tool of MCP: recorded if the message is. */
  isOwn?: boolean;
};

/** Asked by load balancers every few seconds. */
const untracedPaths: ReadonlySet<string> = new Set(['/health']);

const { timeOrigin } = performance;

/** Null without a collector. */
export function requestTracer({ settings, baseUrl }: Pick<Gateway, 'settings' | 'baseUrl'>): RequestTracer | null {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const tracer = trace.getTracer('@agent-trust/gateway');
  const { protocol, hostname } = new URL(baseUrl);
  const server: Attributes = { 'url.scheme': protocol.slice(0, -1), 'server.address': hostname };
  return {
    start: ({ method, headers, route, path, requestId, startedAt, isOwn }) => {
      const received = headers['traceparent'] === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers);
      const parent = isOwn === true ? asLocal(received) : received;
      if (isOwn === true && trace.getSpanContext(parent) === undefined) return { span: untraced, parent };
      const span = tracer.startSpan(
        route === undefined ? method : `${method} ${route}`,
        {
          kind: SpanKind.SERVER,
          ...(startedAt === undefined ? {} : { startTime: timeOrigin + startedAt }),
        },
        parent,
      );
      // Few are.
      if (span.isRecording())
        span.setAttributes({
          ...server,
          'http.request.method': method,
          'registry.request_id': requestId,
          // The path of no route may be anything, a key that was pasted into an address, too.
          ...(route === undefined ? {} : { 'http.route': route, 'url.path': path }),
        });
      return { span, parent };
    },
    end: (span, status) => {
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Of a message that is not recorded. */
const untraced: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const asLocal = (received: Context): Context => {
  const sent = trace.getSpanContext(received);
  return sent === undefined ? received : trace.setSpanContext(received, { ...sent, isRemote: false });
};

/** Runs each request of the framework in a span of its own. */
export function traceRequests(app: FastifyInstance, tracer: RequestTracer | null): void {
  if (tracer === null) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, id: requestId } = request;
    const { url: route } = request.routeOptions;
    if (route !== undefined && untracedPaths.has(route)) return done();
    const [path = ''] = request.url.split('?', 1);
    const isOwn = 'isLightMyRequest' in reply.raw;
    const { span, parent } = tracer.start({ method, headers, route, path, requestId, isOwn });
    // Nothing of it is recorded, and nobody has named it: there is nothing to pass on.
    if (span.spanContext() === INVALID_SPAN_CONTEXT) return done();
    request.span = span;
    context.with(trace.setSpan(parent, span), done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.span !== null) tracer.end(request.span, reply.raw.statusCode);
    done();
  });
}
