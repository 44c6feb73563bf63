import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@agent-trust/trust-projection');

/** Runs a query in a span, by OpenTelemetry's conventions for databases, if the trace under way is recorded. Values are not in the text. */
export async function inQuerySpan<Result>(text: string, query: () => Promise<Result[]>): Promise<Result[]> {
  if (trace.getActiveSpan()?.isRecording() !== true) return query();
  const [, table] = /\bFROM\s+([\w.]+)/u.exec(text) ?? [];
  const span = tracer.startSpan(table === undefined ? 'SELECT' : `SELECT ${table}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.query.text': text,
      ...(table === undefined ? {} : { 'db.collection.name': table }),
    },
  });
  try {
    const rows = await query();
    span.setAttribute('db.response.returned_rows', rows.length);
    return rows;
  } catch (error) {
    const { code } = error as { code?: unknown };
    span.setAttribute('error.type', typeof code === 'string' ? code : 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
