import type { MetricRow } from './row.ts';

const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' };

/**
 * The name of a metric in Prometheus' text, as the OpenTelemetry specification derives it ("Prometheus and OpenMetrics compatibility") and as
 * Prometheus names what it gets over OTLP: with its unit, and a counter with `_total`.
 */
export function exportedName(name: string, { unit, kind }: Pick<MetricRow, 'unit' | 'kind'>): string {
  const words = name.replaceAll(/[^a-zA-Z0-9_:]/gu, '_');
  return `${words}${suffixes[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`;
}
