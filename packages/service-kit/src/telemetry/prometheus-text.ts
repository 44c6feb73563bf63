import { type Collection, exportedName } from '@agent-trust/metrics';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { scopeMetricsOf } from './metric-data.ts';
import { resourceOf } from './resource.ts';
import type { TelemetryOptions } from './start-telemetry.ts';

/**
 * Writes metrics in Prometheus' text format; load this file only to export. Names have their units, which the serializer of this version does not
 * append.
 */
export function prometheusText(options: TelemetryOptions): (collection: Collection) => string {
  const resource = resourceOf(options);
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  return (collection) =>
    serializer.serialize({
      resource,
      scopeMetrics: scopeMetricsOf(collection, ({ name, row }) => ({ name: exportedName(name, row), unit: '' })),
    });
}
