import autocannon from 'autocannon';
import { Client } from 'undici';

/** Figures of one run: requests per second, latencies in milliseconds, and the numbers of 2xx and other answers. */
export type LoadFigures = { perSecond: number; p50: number; p99: number; ok: number; failed: number };

export type LoadTarget = {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Replaces `body`: several bodies that each connection sends in turn. */
  bodies?: readonly string[];
  /** File of a function that makes each request from the target's, as autocannon's `setupRequest`. Costs the load generator time. */
  eachRequest?: string;
};

/**
 * A warm-up ends after this many answers, when the code on their path is compiled. If requests are slow, it ends sooner, and the
 * measurement is slightly too pessimistic.
 */
export const warmUp = { requestsMin: 10_000, secondsMax: 40, roundSeconds: 2 } as const;

/** Sends one request, or several in turn, over `connections` connections for `seconds`, after a warm-up that does not count. */
export async function load(target: LoadTarget, connections: number, seconds: number): Promise<LoadFigures> {
  // In its own thread: this one also supervises the stack and writes its logs.
  const { bodies, eachRequest, ...common } = target;
  const requests = eachRequest === undefined ? bodies?.map((body) => ({ body })) : [{ setupRequest: eachRequest }];
  const turns = requests === undefined ? {} : { requests };
  const run = (duration: number) => autocannon({ ...common, ...turns, connections, duration, workers: 1 });
  for (let answered = 0, spent = 0; answered < warmUp.requestsMin && spent < warmUp.secondsMax; ) {
    answered += (await run(warmUp.roundSeconds))['2xx'];
    spent += warmUp.roundSeconds;
  }
  const result = await run(seconds);
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    ok: result['2xx'],
    failed: result.non2xx + result.errors,
  };
}

/** Runs `work` repeatedly in `workers` loops for `seconds`; returns the successes per second and in total. */
export async function loop(
  workers: number,
  seconds: number,
  work: (worker: number, turn: number) => Promise<void>,
): Promise<{ perSecond: number; done: number }> {
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
}

/** The value that a share of the values (0 to 1) does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] as number;
}

const warmUpRequests = 50;

/** Sends one request after another over one connection for `seconds`; measures latencies more finely than whole milliseconds. */
export async function oneAtATime(target: LoadTarget, seconds: number): Promise<{ p50: number; p99: number }> {
  const url = new URL(target.url);
  const client = new Client(url.origin);
  try {
    const send = async (): Promise<number> => {
      const startedAt = performance.now();
      const { method, headers = {}, body = null } = target;
      const response = await client.request({ path: url.pathname, method, headers, body });
      await response.body.dump();
      if (response.statusCode >= 300) throw new Error(`${target.url} returned ${response.statusCode}`);
      return performance.now() - startedAt;
    };
    for (let index = 0; index < warmUpRequests; index += 1) await send();
    const took: number[] = [];
    for (const endAt = performance.now() + seconds * 1_000; performance.now() < endAt; ) took.push(await send());
    return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
  } finally {
    await client.close();
  }
}
