import type { AgentColumns } from './agent-columns.ts';

/** A row of the columns with its match_score in ten-thousandths. */
export type RankedRow = { row: number; steps: number };

/** Keeps the best of many rows in a heap with the worst on top, so that most rows are rejected after one comparison. */
export class BestRows {
  readonly #columns: AgentColumns;
  readonly #countMax: number;
  readonly #rows: Int32Array;
  readonly #steps: Int32Array;
  #count = 0;

  constructor(columns: AgentColumns, countMax: number) {
    this.#columns = columns;
    this.#countMax = countMax;
    this.#rows = new Int32Array(countMax);
    this.#steps = new Int32Array(countMax);
  }

  /** From this match_score on a row may be among the best. */
  get stepsMin(): number {
    return this.#count < this.#countMax ? 0 : (this.#steps[0] as number);
  }

  /** Answers whether the row is among the best of those that were offered. */
  offer(row: number, steps: number): boolean {
    if (this.#count < this.#countMax) {
      this.#rows[this.#count] = row;
      this.#steps[this.#count] = steps;
      this.#count += 1;
      if (this.#count === this.#countMax) for (let at = (this.#count >>> 1) - 1; at >= 0; at -= 1) this.#sink(at);
      return true;
    }
    const worst = this.#steps[0] as number;
    const isAhead =
      steps > worst || (steps === worst && this.#columns.compareStanding(row, this.#rows[0] as number) < 0);
    if (!isAhead) return false;
    this.#rows[0] = row;
    this.#steps[0] = steps;
    this.#sink(0);
    return true;
  }

  /** Best first. */
  sorted(): RankedRow[] {
    const kept = Array.from({ length: this.#count }, (_, at) => at);
    return kept
      .toSorted((a, b) => this.#compare(a, b))
      .map((at) => ({ row: this.#rows[at] as number, steps: this.#steps[at] as number }));
  }

  /** Of two places of the heap. */
  #compare(a: number, b: number): number {
    return (
      (this.#steps[b] as number) - (this.#steps[a] as number) ||
      this.#columns.compareStanding(this.#rows[a] as number, this.#rows[b] as number)
    );
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= this.#count) return;
      const right = left + 1;
      const worse = right < this.#count && this.#compare(right, left) > 0 ? right : left;
      if (this.#compare(at, worse) >= 0) return;
      this.#swap(at, worse);
      at = worse;
    }
  }

  #swap(a: number, b: number): void {
    const [row, steps] = [this.#rows[a] as number, this.#steps[a] as number];
    this.#rows[a] = this.#rows[b] as number;
    this.#steps[a] = this.#steps[b] as number;
    this.#rows[b] = row;
    this.#steps[b] = steps;
  }
}
