export { followLogState, type LogState, type LogWatch, logStateHealth } from './follow-log-state.ts';
export { guardLog } from './guard-log.ts';
export { LogRolledBackError } from './log-rolled-back.ts';
