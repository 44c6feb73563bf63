import { isSpanContextValid, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callHeaders, readCallHeaders } from './call-headers.ts';
import { startClientSpan, startServerSpan } from './tracing.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

/** What an SDK registers, reduced to `traceparent`. */
const w3c: TextMapPropagator<Record<string, string>> = {
  inject: (context, carrier) => {
    const span = trace.getSpanContext(context);
    if (span && isSpanContextValid(span)) carrier['traceparent'] = `00-${span.traceId}-${span.spanId}-01`;
  },
  extract: (context, carrier) => {
    const [, trace_, spanId] = carrier['traceparent']?.split('-') ?? [];
    return trace_ && spanId
      ? trace.setSpanContext(context, { traceId: trace_, spanId, traceFlags: 1, isRemote: true })
      : context;
  },
  fields: () => ['traceparent'],
};

// An earlier file in this process may have left an SDK's propagator.
beforeEach(() => propagation.disable());
afterEach(() => propagation.disable());

test("without an SDK the caller's trace context is passed on unchanged", () => {
  const { carrier } = startClientSpan('registry-write', 'append', traceparent);
  expect(carrier).toEqual({ traceparent });
  const received = readCallHeaders(callHeaders({}, 1_000, carrier));
  expect(startServerSpan('registry-write', 'append', received).traceparent).toBe(traceparent);
  expect(startClientSpan('registry-write', 'append', undefined).carrier).toEqual({});
});

test('with a propagator the server continues the trace of the headers', () => {
  propagation.setGlobalPropagator(w3c);
  const received = readCallHeaders(callHeaders({}, 1_000, { traceparent }));
  const server = startServerSpan('registry-write', 'append', received);
  expect(trace.getSpanContext(server.active)?.traceId).toBe(traceId);
  expect(server.traceparent).toContain(traceId);
  expect(trace.getSpanContext(ROOT_CONTEXT)).toBeUndefined();
});
