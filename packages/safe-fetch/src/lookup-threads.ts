/** libuv's own default and upper bound (`UV_THREADPOOL_SIZE`). */
const threadsByDefault = 4;
const threadsMax = 1_024;

/**
 * How many names may be resolved at one time, from `UV_THREADPOOL_SIZE` at the start of the process. A lookup holds a thread and cannot be cancelled.
 * libuv gives lookups at most half of the threads; more would wait inside libuv, where a late lookup cannot be distinguished from one that has not
 * started. If there are enough threads, one is left for the process's own names, those of its bus and its database.
 */
export function lookupsAtOnce(threadPoolSize: string | undefined): number {
  const set = threadPoolSize === undefined ? threadsByDefault : Number.parseInt(threadPoolSize, 10) || 1;
  const forLookups = Math.floor((Math.min(Math.max(set, 1), threadsMax) + 1) / 2);
  return forLookups <= 2 ? forLookups : forLookups - 1;
}
