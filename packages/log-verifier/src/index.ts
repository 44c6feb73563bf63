/** The verifier for other programs: an export against signed checkpoints. The event log itself is read by `npm run log:verify` alone. */
export { ArgumentsError } from '@agent-trust/command-line';
export { UnreachableError } from './fetch-bytes.ts';
export { keyOf, noteOf, witnessKeyOf } from './read-inputs.ts';
export { reportLines, type VerificationReport } from './report/report.ts';
export { exportFile } from './sources/export-file.ts';
export { tileStore } from './tiles/tile-store.ts';
export { verifyLog } from './verify/verify-log.ts';
