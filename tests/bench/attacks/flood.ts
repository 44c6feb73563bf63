import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Statuses } from './attack.ts';

export type FloodTarget = {
  url: string;
  /** One connection each; their requests follow one another. Several bodies are sent in turn. */
  connections: readonly {
    headers: Readonly<Record<string, string>>;
    body: string | Uint8Array | readonly string[];
  }[];
};

/** Sends requests as fast as they are answered, from a thread of its own, until stopped. */
export async function startFlood(target: FloodTarget): Promise<() => Promise<Statuses>> {
  const worker = new Worker(new URL('flood-thread.ts', import.meta.url), { workerData: target });
  const ended = once(worker, 'message');
  await once(worker, 'online');
  return async () => {
    worker.postMessage('stop');
    const [statuses] = (await ended) as [Statuses];
    await worker.terminate();
    return statuses;
  };
}
