export const metricLimits = {
  /** Time series of one metric; what comes beyond is counted in one with `otel_metric_overflow="true"`. */
  seriesPerMetricMax: 2_000,
  /** Longest wait for what a collection asks of others; what is late is left out of it. */
  observationTimeoutMs: 1_500,
} as const;
