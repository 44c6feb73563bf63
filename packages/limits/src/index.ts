export { type BackoffOptions, backoffMs, retry, type RetryOptions } from './backoff.ts';
export { type BoundedMap, type BoundedMapOptions, createBoundedMap } from './bounded-map.ts';
export { BudgetFullError, ByteBudget, type ByteShare } from './byte-budget.ts';
export { coalescedLookup, type Lookup, TooManyWaitingError } from './coalesced-lookup.ts';
export { ConcurrencyLimiter, type Permit, type Share } from './concurrency-limiter.ts';
export { DeadlineError, pause, withDeadline, withFallback } from './deadline.ts';
export { natsVersionFault, natsVersionMin, postgresMajorMin, postgresVersionFault } from './server-versions.ts';
