import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, propagation, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';

/**
 * Opens a server span for each request, the parent of all that the request causes on the bus. Without a collector nothing is
 * installed, so that a request pays nothing for it.
 */
export function traceRequests(app: FastifyInstance, { settings }: Gateway): void {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return;
  const tracer = trace.getTracer('@agent-trust/gateway');
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': request.method, 'http.route': route, 'registry.request_id': request.id },
      },
      parent,
    );
    request.span = span;
    context.with(trace.setSpan(parent, span), done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.span?.setAttribute('http.response.status_code', reply.raw.statusCode);
    if (reply.raw.statusCode >= 500) request.span?.setStatus({ code: SpanStatusCode.ERROR });
    request.span?.end();
    done();
  });
}
