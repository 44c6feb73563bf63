export * from './batch-writer.ts';
export * from './checkpoint-watcher.ts';
export * from './checkpoint.ts';
export * from './commit-gate.ts';
export * from './limits.ts';
export * from './projection.ts';
export * from './runner.ts';
export { ensureSameLog } from './same-log.ts';
export * from './schema.ts';
export * from './session.ts';
export * from './table.ts';
export { readModelTypes } from './row-sql.ts';
export { PoisonEventError } from './each-event.ts';
export { type Comparison, type RowDifference } from './replay/compare.ts';
export {
  type ProgressMeter,
  progressMeter,
  readPages,
  type ReplayPhase,
  type ReplayProgress,
} from './replay/progress.ts';
export { prepareReadModel } from './replay/prepare.ts';
export {
  nextSchema,
  ReplayInProgressError,
  type ReplayOptions,
  type ReplayReport,
  replayReadModel,
} from './replay/replay.ts';
export type { SwitchGuard } from './replay/switch.ts';
