export const metricLimits = {
  /** Time series of one metric; what comes beyond is counted in one with `otel_metric_overflow="true"`. */
  seriesPerMetricMax: 2_000,
  /** Longest wait for what a collection asks of others; what is late is left out of it. */
  observationTimeoutMs: 1_500,
  /** What a process remembers of its counts: a quarter of an hour in steps, for charts without a metrics server. */
  recentStepMs: 15_000,
  recentSteps: 60,
} as const;
