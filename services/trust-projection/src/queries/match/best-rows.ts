import type { AgentColumns } from './agent-columns.ts';

/** A row of the columns with its match_score in ten-thousandths. */
export type RankedRow = { row: number; steps: number };

/**
 * Keeps the best of many rows: match_score descending, then `compareStanding`. A heap with the worst of the kept on top, so that most
 * rows are turned away after one comparison.
 */
export class BestRows {
  readonly #columns: AgentColumns;
  readonly #countMax: number;
  readonly #isOfferedInIdOrder: boolean;
  readonly #rows: Int32Array;
  readonly #steps: Int32Array;
  #count = 0;

  /** @param isOfferedInIdOrder spares comparing ids: of two rows that are else equal the later loses. */
  constructor(columns: AgentColumns, countMax: number, isOfferedInIdOrder: boolean) {
    this.#columns = columns;
    this.#countMax = countMax;
    this.#isOfferedInIdOrder = isOfferedInIdOrder;
    this.#rows = new Int32Array(countMax);
    this.#steps = new Int32Array(countMax);
  }

  /** From this match_score on a row may be among the best. */
  get stepsMin(): number {
    return this.#count < this.#countMax ? 0 : (this.#steps[0] as number);
  }

  offer(row: number, steps: number): void {
    if (this.#count < this.#countMax) {
      this.#rows[this.#count] = row;
      this.#steps[this.#count] = steps;
      this.#count += 1;
      if (this.#count === this.#countMax) for (let at = (this.#count >>> 1) - 1; at >= 0; at -= 1) this.#sink(at);
      return;
    }
    const worst = this.#steps[0] as number;
    if (steps < worst || (steps === worst && !this.#isAhead(row, this.#rows[0] as number))) return;
    this.#rows[0] = row;
    this.#steps[0] = steps;
    this.#sink(0);
  }

  /** Best first. */
  sorted(): RankedRow[] {
    const kept = Array.from({ length: this.#count }, (_, at) => at);
    return kept
      .toSorted((a, b) => this.#compare(a, b))
      .map((at) => ({ row: this.#rows[at] as number, steps: this.#steps[at] as number }));
  }

  #isAhead(row: number, kept: number): boolean {
    const earned = this.#columns.compareEarned(row, kept);
    if (earned !== 0) return earned < 0;
    return !this.#isOfferedInIdOrder && this.#columns.compareIds(row, kept) < 0;
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
