export { dashboardPath, rows } from './dashboard.ts';
export { foreignMetrics, nodeJob } from './foreign-metrics.ts';
export { withAllChosen } from './query.ts';
