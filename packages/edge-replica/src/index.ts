export { type Reading, readClocks } from './clock.ts';
export { Leader } from './leader/leader.ts';
export { Leadership } from './leader/leadership.ts';
export { predecessorLeasesMs, replicaLimits } from './limits.ts';
export type * from './messages.ts';
export * from './wire.ts';
