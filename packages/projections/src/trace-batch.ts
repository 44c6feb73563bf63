import type { RecordedEvent } from '@agent-trust/event-log';
import { type Link, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@agent-trust/projections');

/** Links of one span; further recorded traces of a batch do not show its projection. */
const linksMax = 32;
/** The flags of a trace that is recorded end in an odd digit (W3C Trace Context, `sampled`). */
const recorded = /[13579bdf]$/u;

/**
 * Records that a batch was projected, in the trace of the first event whose request is recorded, with links to the others (the spans that appended them).
 * @param startedAt when the batch began, in milliseconds since the epoch
 */
export function traceBatch(schema: string, events: readonly RecordedEvent[], startedAt: number): void {
  const links: Link[] = [];
  for (const { metadata, type, position } of events) {
    const { traceparent } = metadata;
    if (traceparent === undefined || !recorded.test(traceparent)) continue;
    const context = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
    // Without an SDK nothing is extracted.
    if (context === undefined) return;
    links.push({ context, attributes: { 'event_log.event_type': type, 'event_log.position': String(position) } });
    if (links.length >= linksMax) break;
  }
  const [first] = links;
  if (first === undefined) return;
  const attributes = { 'projection.schema': schema, 'projection.event_count': events.length };
  const parent = trace.setSpanContext(ROOT_CONTEXT, first.context);
  tracer
    .startSpan('project events', { kind: SpanKind.CONSUMER, links, attributes, startTime: startedAt }, parent)
    .end();
}
