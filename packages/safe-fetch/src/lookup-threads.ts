/** libuv's own default and upper bound (`UV_THREADPOOL_SIZE`). */
const threadsByDefault = 4;
const threadsMax = 1_024;

/**
 * How many names may be resolved at one time. Each lookup holds a thread of the pool that files share, until the operating system's
 * resolver answers; nothing can end it before. libuv gives lookups at most half of the threads, so more at once would only wait inside
 * it, where nobody can tell a lookup that is late from one that has not begun. Where there are enough, one is left for names that the
 * process itself needs, those of its bus and its database.
 *
 * @param threadPoolSize `UV_THREADPOOL_SIZE`, as the process was started with it; the pool is made once and does not grow.
 */
export function lookupsAtOnce(threadPoolSize: string | undefined): number {
  const set = threadPoolSize === undefined ? threadsByDefault : Number.parseInt(threadPoolSize, 10) || 1;
  const forLookups = Math.floor((Math.min(Math.max(set, 1), threadsMax) + 1) / 2);
  return forLookups <= 2 ? forLookups : forLookups - 1;
}
