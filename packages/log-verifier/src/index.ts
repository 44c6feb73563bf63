export type { CheckpointResult, Finding, FindingCode, VerificationReport } from './report/finding.ts';
export { eventLogSource } from './sources/event-log.ts';
export { exportFile } from './sources/export-file.ts';
export type { LogSource } from './sources/log-source.ts';
export { type TileStore, tileStore } from './tiles/tile-store.ts';
export { type VerifyLogInput, verifyLog } from './verify/verify-log.ts';
