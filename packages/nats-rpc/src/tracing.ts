import {
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
import type { ReceivedCall } from './call-headers.ts';

// Only the API package is used: without a registered SDK every span is a no-op, and the received trace context is passed on unchanged.
const tracer = trace.getTracer('@agent-trust/nats-rpc');

/** No trace begins on the bus: what is asked without one is a health poll, a sweep or a renewal, of which there are many. */
const untraced: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const attributesOf = (service: string, method: string): Record<string, string> => ({
  'rpc.system': 'nats',
  'rpc.service': service,
  'rpc.method': method,
  'messaging.system': 'nats',
});

type ClientSpan = { span: Span; carrier: Record<string, string> };

/** Starts the client's span, if a trace is under way, and writes its context into a carrier for the headers; see W3C Trace Context. */
export function startClientSpan(service: string, method: string, traceparent: string | undefined): ClientSpan {
  const carrier: Record<string, string> = {};
  let span = untraced;
  if (trace.getActiveSpan() !== undefined) {
    span = tracer.startSpan(`${service}/${method}`, {
      kind: SpanKind.CLIENT,
      attributes: attributesOf(service, method),
    });
    propagation.inject(trace.setSpan(context.active(), span), carrier);
  }
  if (carrier['traceparent'] === undefined && traceparent !== undefined) carrier['traceparent'] = traceparent;
  return { span, carrier };
}

type ServerSpan = {
  span: Span;
  /** Runs the handler within the span, so that its work becomes part of the trace. */
  active: Context;
  /** For event metadata and for calls made on behalf of this one. */
  traceparent: string | undefined;
};

/** Starts the server's span as a child of the context that came with the call, if one did. */
export function startServerSpan(service: string, method: string, received: ReceivedCall): ServerSpan {
  const { traceparent, tracestate } = received;
  if (traceparent === undefined) return { span: untraced, active: ROOT_CONTEXT, traceparent };
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent, ...(tracestate !== undefined && { tracestate }) });
  const span = tracer.startSpan(
    `${service}/${method}`,
    { kind: SpanKind.SERVER, attributes: attributesOf(service, method) },
    parent,
  );
  const active = trace.setSpan(parent, span);
  const carrier: Record<string, string> = {};
  propagation.inject(active, carrier);
  return { span, active, traceparent: carrier['traceparent'] ?? traceparent };
}

/** Ends a span; an error is named by its code, never by its text, which may contain data of a caller. */
export function endSpan(span: Span, errorCode?: string): void {
  if (errorCode !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: errorCode });
    span.setAttribute('error.type', errorCode);
  }
  span.end();
}
