/** What EventStoreDB stores of an event. */
export type StoredEvent = {
  id: string;
  stream: string;
  revision: bigint;
  position: bigint;
  metadata: ReadonlyMap<string, string>;
  customMetadata: Uint8Array;
  data: Uint8Array;
  createdMs: number;
};

export type ProposedEvent = Pick<StoredEvent, 'id' | 'metadata' | 'customMetadata' | 'data'>;
export type Expected = bigint | 'any' | 'no_stream' | 'stream_exists';
export type AppendDecision =
  | { kind: 'ok'; revision: bigint; position: bigint }
  | { kind: 'repeated'; revision: bigint; position: bigint }
  | { kind: 'wrong expected version'; current: bigint }
  | { kind: 'deleted' };

/** Streams in memory, with the rules of EventStoreDB's index writer for accepting an append (its `CheckCommit`). */
export class Store {
  readonly events: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #tombstones = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #nextPosition = 0n;

  clear(): void {
    this.events.length = 0;
    this.#streams.clear();
    this.#tombstones.clear();
    this.#nextPosition = 0n;
  }

  /** As an older copy of the log has it: the first events alone, at their positions. */
  keepFirst(count: number): void {
    const kept = this.events.slice(0, count);
    this.#nextPosition = this.events[count]?.position ?? this.#nextPosition;
    this.events.length = 0;
    this.#streams.clear();
    for (const event of kept) {
      this.events.push(event);
      this.#streams.set(event.stream, [...(this.#streams.get(event.stream) ?? []), event]);
    }
  }

  stream(name: string): readonly StoredEvent[] {
    return this.#streams.get(name) ?? [];
  }

  tombstone(name: string): void {
    this.#tombstones.add(name);
  }

  isTombstoned(name: string): boolean {
    return this.#tombstones.has(name);
  }

  onAppended(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  append(name: string, expected: Expected, proposed: readonly ProposedEvent[]): AppendDecision {
    const decision = this.check(name, expected, proposed);
    return decision === 'write' ? this.write(name, proposed, Date.now()) : decision;
  }

  /** Index of the first event at `position` or behind it. */
  indexFrom(position: bigint): number {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle]?.position ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether a read may start there. Behind the end is nothing, which the server notices later. */
  isPosition(position: bigint): boolean {
    const last = this.events.at(-1);
    return (
      last === undefined || position > last.position || this.events[this.indexFrom(position)]?.position === position
    );
  }

  /** The decision on an append; changes nothing. */
  check(name: string, expected: Expected, proposed: readonly Pick<ProposedEvent, 'id'>[]): AppendDecision | 'write' {
    if (this.#tombstones.has(name)) return { kind: 'deleted' };
    const stream = this.#streams.get(name) ?? [];
    const current = BigInt(stream.length) - 1n;
    const refused: AppendDecision = { kind: 'wrong expected version', current };
    if (expected === 'stream_exists' && current < 0n) return refused;
    if (expected === 'any' || expected === 'stream_exists') {
      const known = proposed.map(({ id }) => stream.findLast((event) => event.id === id));
      // Like the server, uses only the first id to distinguish a new append from a repeated one.
      if (known[0] !== undefined) return known.includes(undefined) ? refused : repeated(known.at(-1));
    } else {
      const expectedRevision = expected === 'no_stream' ? -1n : expected;
      if (expectedRevision > current) return refused;
      if (expectedRevision < current) {
        const behind = proposed.map((_, i) => stream[Number(expectedRevision) + 1 + i]);
        return behind.every((event, i) => event?.id === proposed[i]?.id) ? repeated(behind.at(-1)) : refused;
      }
    }
    return 'write';
  }

  /** Writes what `check` has let pass. */
  write(name: string, proposed: readonly ProposedEvent[], createdMs: number): AppendDecision {
    const stream = this.#streams.get(name) ?? [];
    for (const event of proposed) {
      const stored = {
        ...event,
        stream: name,
        revision: BigInt(stream.length),
        position: this.#nextPosition,
        createdMs,
      };
      // Positions are byte offsets in the server's log: increasing, never dense.
      this.#nextPosition += BigInt(event.data.length + event.customMetadata.length + 117);
      stream.push(stored);
      this.events.push(stored);
    }
    this.#streams.set(name, stream);
    for (const listener of this.#listeners) listener();
    const last = stream.at(-1);
    return last === undefined
      ? { kind: 'wrong expected version', current: -1n }
      : { kind: 'ok', revision: last.revision, position: last.position };
  }
}

const repeated = (last: StoredEvent | undefined): AppendDecision =>
  last === undefined
    ? { kind: 'wrong expected version', current: -1n }
    : { kind: 'repeated', revision: last.revision, position: last.position };
