import { OutboundError, type OutboundRequest, type OutboundResponse, type SafeFetch } from '@agent-trust/safe-fetch';
import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@agent-trust/proxy-kit');

/**
 * Sends requests to agents in spans, by OpenTelemetry's conventions for HTTP clients, if a trace is under way. The agent gets the span as its parent (W3C
 * Trace Context), in place of the caller's. No attribute has the address: only the proxies and its owner know where an agent is.
 */
export function tracedFetch(safeFetch: SafeFetch): SafeFetch {
  const send = async (url: string | URL, request: OutboundRequest = {}): Promise<OutboundResponse> => {
    if (trace.getActiveSpan() === undefined) return safeFetch(url, request);
    const { method = 'GET' } = request;
    const attributes = { 'http.request.method': method };
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes });
    const headers = { ...request.headers };
    propagation.inject(trace.setSpan(context.active(), span), headers);
    let isAnswered = false;
    let isOver = false;
    const onEnd = (): void => {
      isOver = true;
      if (isAnswered) span.end();
      request.onEnd?.();
    };
    try {
      const response = await safeFetch(url, { ...request, headers, onEnd });
      isAnswered = true;
      span.setAttribute('http.response.status_code', response.status);
      if (response.status >= 400) fail(span, String(response.status));
      if (isOver) span.end();
      return response;
    } catch (error) {
      fail(span, error instanceof OutboundError ? error.reason : 'unknown');
      span.end();
      throw error;
    }
  };
  return Object.assign(send, { close: () => safeFetch.close() });
}

const fail = (span: Span, type: string): void => {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** Adds what a request is about to the span that it runs in. */
export function annotateSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}
