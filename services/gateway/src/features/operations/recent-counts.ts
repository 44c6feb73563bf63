import { processMetrics, RecentCounts, atEachStep, type CountsNow } from '@agent-trust/metrics';

/** Names of counts as gateways tell each other. */
export const refusedPrefix = 'refused ';
const countedRoutes: Readonly<Record<string, string>> = {
  '/call': 'calls',
  '/verify': 'verifies',
  '/verify/batch': 'verifies',
};

/** What this process has answered so far: all requests, those of some routes, and refusals by code. */
export function countsNow(recorder: Pick<typeof processMetrics, 'counted'> = processMetrics): CountsNow {
  const counts = new Map<string, number>();
  const add = (name: string, count: number): void => void counts.set(name, (counts.get(name) ?? 0) + count);
  for (const { attributes, count } of recorder.counted('http.server.request.duration')) {
    add('requests', count);
    const name = countedRoutes[attributes['http.route'] ?? ''];
    if (name !== undefined) add(name, count);
  }
  for (const { attributes, count } of recorder.counted('registry.http.refusals')) {
    // Series beyond the limit of a metric share one, without a code.
    add(`${refusedPrefix}${attributes['error.type'] ?? 'other'}`, count);
  }
  return counts;
}

/** Remembers what this gateway counts, for roll calls of any gateway. Returns how to stop. */
export function rememberCounts(rpc: { describeRecent(recent: () => unknown): void }): () => void {
  const recent = new RecentCounts(countsNow, Date.now());
  rpc.describeRecent(() => recent.shown(Date.now()));
  return atEachStep(() => recent.look(Date.now()));
}
