export { type Reading, readClocks } from './clock.ts';
export { Leader } from './leader/leader.ts';
export { Leadership } from './leader/leadership.ts';
export { predecessorLeasesMs, replicaLimits } from './limits.ts';
export { createHeldObjects, type Held, type HeldObjects } from './member/held-objects.ts';
export { type Lookup, Member, type Question } from './member/member.ts';
export type * from './messages.ts';
export { Watermark } from './watermark.ts';
export * from './wire.ts';
