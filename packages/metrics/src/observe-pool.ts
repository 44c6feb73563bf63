import type { Recorder } from './recorder.ts';

/** The part of a pool of `pg` that is observed. */
export type ObservedPool = {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
};

/** Reports the state of a pool of connections. Returns a function that ends that, for when the pool has ended. */
export function observePoolIn(metrics: Recorder, name: string, pool: ObservedPool): () => void {
  const of = { 'db.client.connection.pool.name': name };
  return metrics.observe((report) => {
    const { totalCount, idleCount } = pool;
    report('db.client.connection.count', idleCount, { ...of, 'db.client.connection.state': 'idle' });
    report('db.client.connection.count', totalCount - idleCount, { ...of, 'db.client.connection.state': 'used' });
    report('db.client.connection.max', pool.options.max, of);
    report('db.client.connection.pending_requests', pool.waitingCount, of);
  });
}
