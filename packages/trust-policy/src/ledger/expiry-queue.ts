export type Due = { at: number; key: string };

/** A queue by time: a binary min-heap. */
export class ExpiryQueue {
  private heap: Due[] = [];

  get size(): number {
    return this.heap.length;
  }

  push(due: Due): void {
    const { heap } = this;
    let index = heap.length;
    heap.push(due);
    while (index > 0) {
      const parent = (index - 1) >>> 1;
      const above = heap[parent];
      if (above === undefined || above.at <= due.at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = due;
  }

  /** Removes and returns the first entry that is due at `now`, if any. */
  popDue(now: number): Due | undefined {
    const { heap } = this;
    const first = heap[0];
    if (first === undefined || first.at > now) return undefined;
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) this.sink(last);
    return first;
  }

  reset(entries: Iterable<Due>): void {
    this.heap = [...entries].sort((a, b) => a.at - b.at);
  }

  private sink(due: Due): void {
    const { heap } = this;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const left = heap[child];
      if (left === undefined) break;
      const right = heap[child + 1];
      if (right !== undefined && right.at < left.at) child += 1;
      const least = heap[child];
      if (least === undefined || least.at >= due.at) break;
      heap[index] = least;
      index = child;
    }
    heap[index] = due;
  }
}
