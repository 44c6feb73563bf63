import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds that each thread has run, by thread id. */
type ThreadTimes = ReadonlyMap<string, number>;

/**
 * The processor time of processes, by the scheduler's own count in nanoseconds (Linux, `schedstat`): `stat` counts hundredths of a second, which is too
 * coarse for a second of load.
 */
export class ProcessorTime {
  readonly #pids: readonly number[];
  #last: ThreadTimes;

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#last = this.#read();
  }

  /** Milliseconds since the last call, or since this was made. */
  sinceLastMs(): number {
    const now = this.#read();
    let ns = 0;
    for (const [thread, time] of now) ns += time - (this.#last.get(thread) ?? 0);
    this.#last = now;
    return ns / 1e6;
  }

  #read(): ThreadTimes {
    return new Map(
      this.#pids.flatMap((pid) =>
        readdirSync(`/proc/${pid}/task`).map((thread): [string, number] => {
          const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
          return [thread, Number(ns)];
        }),
      ),
    );
  }
}
