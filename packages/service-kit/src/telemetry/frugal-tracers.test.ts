import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type Sampler } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FrugalOptions, frugalTracers } from './frugal-tracers.ts';
import { samplerOf } from './sampler.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparentOf = (flags: '00' | '01'): string => `00-${traceId}-b7ad6b7169203331-${flags}`;
const receivedWith = (flags: '00' | '01'): Context =>
  propagation.extract(ROOT_CONTEXT, { traceparent: traceparentOf(flags) });

let exporter: InMemorySpanExporter;
beforeEach(() => {
  exporter = new InMemorySpanExporter();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterEach(() => {
  context.disable();
  propagation.disable();
});

const tracerOf = (sampler: Sampler, options: FrugalOptions) =>
  frugalTracers(
    new TracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    options,
  ).getTracer('t');
const always = samplerOf({ sampler: 'always_on', ratio: undefined });
const edge = (isDrawn: boolean, { namesUnrecorded = false } = {}) =>
  tracerOf(always, { drawn: () => isDrawn, namesUnrecorded, followsParent: true });
const behind = (sampler: 'parentbased_always_on' | 'always_on') =>
  tracerOf(samplerOf({ sampler, ratio: undefined }), {
    drawn: undefined,
    namesUnrecorded: false,
    followsParent: sampler !== 'always_on',
  });

const sentBy = (span: Span): string | undefined => {
  const carrier: Record<string, string> = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier);
  return carrier['traceparent'];
};
const recorded = (): string[] => exporter.getFinishedSpans().map(({ name }) => name);

describe('at the edge', () => {
  it.each(['00', '01'] as const)('the draw alone decides, and a caller with flags %s names the trace', (flags) => {
    const drawn = edge(true).startSpan('drawn', {}, receivedWith(flags));
    drawn.end();
    expect(sentBy(drawn)).toMatch(new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`, 'u'));
    const other = edge(false).startSpan('not drawn', {}, receivedWith(flags));
    other.end();
    expect(sentBy(other)).toBe(traceparentOf('00'));
    expect(recorded()).toEqual(['drawn']);
  });

  it('a trace that nobody named and that is not recorded is not passed on, if all services follow the gateway', () => {
    const span = edge(false).startSpan('not drawn', {}, ROOT_CONTEXT);
    expect(span.isRecording()).toBe(false);
    expect(span.spanContext()).toBe(INVALID_SPAN_CONTEXT);
    expect(sentBy(span)).toBeUndefined();
  });

  it('such a trace gets ids, which stay the same, if other services decide by themselves', () => {
    const notDrawn = (): Span => edge(false, { namesUnrecorded: true }).startSpan('not drawn', {}, ROOT_CONTEXT);
    const span = notDrawn();
    expect(span.isRecording()).toBe(false);
    expect(sentBy(span)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/u);
    expect(sentBy(span)).toBe(sentBy(span));
    expect(sentBy(span)).not.toBe(sentBy(notDrawn()));
  });

  it('a request of its own is recorded if the span that made it is, without a draw', () => {
    const own = (flags: number): Context =>
      trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: 'b7ad6b7169203331', traceFlags: flags, isRemote: false });
    edge(false).startSpan('of a recorded message', {}, own(1)).end();
    edge(true).startSpan('of another', {}, own(0)).end();
    expect(recorded()).toEqual(['of a recorded message']);
  });
});

describe.each([true, false])('below a span at the edge, drawn: %s', (isDrawn) => {
  it('spans are recorded as it is, also active ones', () => {
    const tracer = edge(isDrawn);
    const result = tracer.startActiveSpan('root', (root) => {
      tracer.startActiveSpan('child', { attributes: { a: 1 } }, (child) => {
        expect(child.spanContext().traceId).toBe(root.spanContext().traceId);
        expect(trace.getActiveSpan()).toBe(child);
        tracer.startSpan('grandchild').end();
        child.end();
      });
      root.end();
      return 'its result';
    });
    expect(result).toBe('its result');
    expect(recorded()).toEqual(isDrawn ? ['grandchild', 'child', 'root'] : []);
  });
});

describe('behind the gateway', () => {
  it('a span follows the one above, and passes on the context of one that is not recorded', () => {
    const tracer = behind('parentbased_always_on');
    tracer.startSpan('of a recorded call', {}, receivedWith('01')).end();
    const other = tracer.startSpan('of another', {}, receivedWith('00'));
    other.end();
    expect(sentBy(other)).toBe(traceparentOf('00'));
    tracer.startSpan('of nobody', {}, ROOT_CONTEXT).end();
    expect(recorded()).toEqual(['of a recorded call', 'of nobody']);
  });

  it('a sampler that does not follow its parent decides by itself', () => {
    behind('always_on').startSpan('of an unrecorded call', {}, receivedWith('00')).end();
    expect(recorded()).toEqual(['of an unrecorded call']);
  });
});
