import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { EventLogError } from './errors.ts';
import type { AppendResult, NewEvent } from './port.ts';

const tracer = trace.getTracer('@agent-trust/event-log');

/** Runs an append inside a span with its stream, its event types and its resulting position. */
export function appendSpan(
  system: 'postgresql' | 'eventstoredb',
  stream: string,
  events: readonly NewEvent[],
  append: () => Promise<AppendResult>,
): Promise<AppendResult> {
  return tracer.startActiveSpan(
    'event_log.append',
    {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': system,
        'event_log.stream': stream,
        'event_log.event_count': events.length,
        'event_log.event_types': [...new Set(events.map((event) => event.type))],
      },
    },
    async (span) => {
      try {
        const result = await append();
        span.setAttributes({
          'event_log.revision': result.revision.toString(),
          'event_log.position': result.position.toString(),
        });
        return result;
      } catch (error) {
        if (error instanceof EventLogError) span.setAttribute('error.type', error.code);
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
        throw error;
      } finally {
        span.end();
      }
    },
  );
}
