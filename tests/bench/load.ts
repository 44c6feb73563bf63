import autocannon from 'autocannon';

/** Figures of one run: requests per second, latencies in milliseconds, and how many answers were 2xx or not. */
export type LoadFigures = { perSecond: number; p50: number; p99: number; ok: number; failed: number };

export type LoadTarget = {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** In place of `body`: several that each connection sends in turn. */
  bodies?: readonly string[];
};

/** Sends the same request, or the same ones in turn, over `connections` connections for `seconds`, after a warm-up that does not count. */
export const load = async (target: LoadTarget, connections: number, seconds: number): Promise<LoadFigures> => {
  // In a thread of its own: this one also supervises the stack and writes its logs.
  const { bodies, ...common } = target;
  const requests = bodies?.map((body) => ({ body }));
  const turns = requests === undefined ? {} : { requests };
  const run = (duration: number) => autocannon({ ...common, ...turns, connections, duration, workers: 1 });
  await run(2);
  const result = await run(seconds);
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    ok: result['2xx'],
    failed: result.non2xx + result.errors,
  };
};

/** Runs `work` over and over in `workers` loops for `seconds`; answers how often it succeeded, per second and in all. */
export const loop = async (
  workers: number,
  seconds: number,
  work: (worker: number, turn: number) => Promise<void>,
): Promise<{ perSecond: number; done: number }> => {
  const endAt = performance.now() + seconds * 1_000;
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let turn = 0; performance.now() < endAt; turn += 1) {
        await work(worker, turn);
        done += 1;
      }
    }),
  );
  return { done, perSecond: done / ((performance.now() - startedAt) / 1_000) };
};
