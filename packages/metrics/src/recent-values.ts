import { metricLimits } from './limits.ts';

const { recentStepMs, recentSteps } = metricLimits;

/** The steps before the one that is running, oldest first; null for a step of which nothing is known. */
export type RecentSteps<Value> = {
  /** Number of the first step since the Unix epoch: steps of all processes are the same. */
  firstStep: number;
  values: (Value | null)[];
};

export function stepOf(nowMs: number): number {
  return Math.floor(nowMs / recentStepMs);
}

/** A value for each of the last steps: a quarter of an hour in steps of 15 seconds. */
export class RecentValues<Value> {
  readonly #values: Map<number, Value> = new Map();

  /** What is known of a step so far. */
  at(step: number): Value | undefined {
    return this.#values.get(step);
  }

  set(step: number, value: Value): void {
    this.#values.set(step, value);
    // The one that is running, and those before it that are shown.
    for (const known of this.#values.keys()) if (known < step - recentSteps) this.#values.delete(known);
  }

  shown(nowMs: number): RecentSteps<Value> {
    const firstStep = stepOf(nowMs) - recentSteps;
    const values = Array.from({ length: recentSteps }, (_, at) => this.#values.get(firstStep + at) ?? null);
    return { firstStep, values };
  }
}

/** Counts by name, as they are now since the start of the process. */
export type CountsNow = ReadonlyMap<string, number>;

/** How much counts have grown in each of the last steps. */
export class RecentCounts {
  readonly #read: () => CountsNow;
  readonly #grown = new RecentValues<Map<string, number>>();
  #before: CountsNow;
  #step: number;

  constructor(read: () => CountsNow, nowMs: number) {
    this.#read = read;
    this.#before = read();
    this.#step = stepOf(nowMs);
    this.#grown.set(this.#step, new Map());
  }

  /** What was counted since the last look belongs to the step of that look; so it is looked at when each step begins. */
  look(nowMs: number): void {
    const now = this.#read();
    const grown = this.#grown.at(this.#step) ?? new Map<string, number>();
    for (const [name, count] of now) {
      const more = count - (this.#before.get(name) ?? 0);
      if (more > 0) grown.set(name, (grown.get(name) ?? 0) + more);
    }
    this.#before = now;
    // A clock that was set back goes on with the step that it had.
    const step = Math.max(this.#step, stepOf(nowMs));
    for (let missed = Math.max(this.#step + 1, step - recentSteps); missed <= step; missed += 1)
      this.#grown.set(missed, new Map());
    this.#step = step;
  }

  /** By name, the growth in each step; names that have not grown are left out. */
  shown(nowMs: number): { firstStep: number; counts: Record<string, (number | null)[]> } {
    this.look(nowMs);
    const { firstStep, values } = this.#grown.shown(nowMs);
    const names = new Set(values.flatMap((grown) => [...(grown?.keys() ?? [])]));
    const of = (name: string) => values.map((grown) => grown && (grown.get(name) ?? 0));
    return { firstStep, counts: Object.fromEntries([...names].map((name) => [name, of(name)])) };
  }
}

/** Calls `look` when each step begins. Returns how to stop. */
export function atEachStep(look: () => void): () => void {
  const untilNext = (): number => recentStepMs - (Date.now() % recentStepMs);
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(() => {
      look();
      wait();
    }, untilNext());
    timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}
