import type { Collection, MetricSnapshot } from '@agent-trust/metrics';
import { type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { AggregationTemporality, DataPointType, type MetricData, type ScopeMetrics } from '@opentelemetry/sdk-metrics';
import { registryVersion } from '../version.ts';

const startTime = millisToHrTime(performance.timeOrigin);

/** The metrics of this process in the form that OpenTelemetry's exporters take: cumulative since the process started. */
export function scopeMetricsOf(
  { metrics }: Collection,
  describe: (metric: MetricSnapshot) => { name: string; unit: string } = ({ name, row }) => ({ name, unit: row.unit }),
): ScopeMetrics[] {
  const endTime = millisToHrTime(Date.now());
  return [
    {
      scope: { name: '@agent-trust/metrics', version: registryVersion },
      metrics: metrics.map((metric) => metricDataOf(metric, describe(metric), endTime)),
    },
  ];
}

const metricDataOf = (metric: MetricSnapshot, naming: { name: string; unit: string }, endTime: HrTime): MetricData => {
  const { row, points, histograms } = metric;
  const base = {
    descriptor: { ...naming, description: row.description, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const times = { startTime, endTime };
  if (points === undefined) {
    const dataPoints = histograms.map(({ attributes, bounds, counts, sum, count }) => ({
      ...times,
      attributes,
      value: { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count },
    }));
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = points.map(({ attributes, value }) => ({ ...times, attributes, value }));
  return row.kind === 'gauge'
    ? { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
    : { ...base, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: row.kind === 'counter' };
};
