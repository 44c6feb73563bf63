import { archiveStream } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { archiveRecords, type ArchiveRecord, recordOf } from './archive-records.ts';
import { archiveLimits } from './limits.ts';
import { type ArchivedLeaf, unpackLeaves } from './packed-lists.ts';

/** The leaves of archived events behind a position, in the order of the log, of which only what is asked for next is in memory. */
export class LeafReader {
  readonly #log: Pick<EventLog, 'readStream'>;
  /** Leaves up to here are no longer of interest. */
  #passed: bigint;
  /** Of the stream of the archive; null until the first record that matters was looked for. */
  #nextRevision: bigint | null = null;
  #records: AsyncGenerator<ArchiveRecord> | null = null;
  /** In the order of the log. */
  #leaves: ArchivedLeaf[] = [];
  #taken = 0;
  /** No record that was not read yet has a position up to here. */
  #completeUpTo: bigint;

  constructor(log: Pick<EventLog, 'readStream'>, after: bigint | null) {
    this.#log = log;
    this.#passed = after ?? -1n;
    this.#completeUpTo = this.#passed;
  }

  /** Records that were appended since the last look count from now on. To be called after a page of the log was read, and before `before`. */
  lookAgain(): void {
    this.#records = null;
  }

  /** The leaves before a position, some at a time. */
  async *before(position: bigint): AsyncGenerator<readonly ArchivedLeaf[]> {
    for (;;) {
      const bound = this.#completeUpTo < position ? this.#completeUpTo + 1n : position;
      const leaves = this.#takeBefore(bound);
      if (leaves.length > 0) yield leaves;
      if (this.#completeUpTo >= position - 1n || !(await this.#readRecord())) break;
    }
    // Without a further record, everything that was read is complete.
    const rest = this.#takeBefore(position);
    if (rest.length > 0) yield rest;
  }

  /** Goes past an event that is still in the log, and past its leaf if a record has it. */
  pass(position: bigint): void {
    this.#passed = position;
    while ((this.#leaves[this.#taken]?.position ?? position + 1n) <= position) this.#taken += 1;
  }

  #takeBefore(bound: bigint): readonly ArchivedLeaf[] {
    let end = this.#taken;
    while ((this.#leaves[end]?.position ?? bound) < bound) end += 1;
    if (end === this.#taken) return [];
    const leaves = this.#leaves.slice(this.#taken, end);
    this.#taken = end;
    this.#passed = leaves.at(-1)?.position ?? this.#passed;
    return leaves;
  }

  async #readRecord(): Promise<boolean> {
    this.#nextRevision ??= await this.#firstRevision();
    this.#records ??= archiveRecords(this.#log, this.#nextRevision);
    const { value: record } = await this.#records.next();
    if (record === undefined) return false;
    this.#nextRevision = record.revision + 1n;
    const more = unpackLeaves(record.leaves).filter(({ position }) => position > this.#passed);
    const left = this.#leaves.slice(this.#taken);
    this.#taken = 0;
    const isInOrder = (left.at(-1)?.position ?? -1n) < (more[0]?.position ?? 0n);
    this.#leaves = isInOrder ? [...left, ...more] : inOrder([...left, ...more]);
    const completeUpTo = BigInt(record.completeUpTo);
    if (completeUpTo > this.#completeUpTo) this.#completeUpTo = completeUpTo;
    return true;
  }

  /** Where to begin: behind the last record with which everything up to the start is complete. Most readers start behind all of them. */
  async #firstRevision(): Promise<bigint> {
    if (this.#passed < 0n) return 0n;
    for (let from: bigint | null = null; ; ) {
      const events = await this.#log.readStream(archiveStream, {
        direction: 'backwards',
        countMax: archiveLimits.recordsPerRead,
        ...(from === null ? {} : { fromRevision: from }),
      });
      for (const recorded of events) {
        const record = recordOf(recorded);
        if (record !== null && BigInt(record.completeUpTo) <= this.#passed) return recorded.revision + 1n;
      }
      const last = events.at(-1);
      if (last === undefined || last.revision === 0n) return 0n;
      from = last.revision - 1n;
    }
  }
}

/** The leaf that the log keeps of an archived event; null if no record has one at this position. */
export async function archivedLeafAt(
  log: Pick<EventLog, 'readStream'>,
  position: bigint,
): Promise<ArchivedLeaf | null> {
  return (await archivedLeavesAt(log, [position])).get(position) ?? null;
}

/** The leaves that the log keeps of archived events, by position, of those positions that have one. Best asked of positions that are close together. */
export async function archivedLeavesAt(
  log: Pick<EventLog, 'readStream'>,
  positions: readonly bigint[],
): Promise<Map<bigint, ArchivedLeaf>> {
  const wanted = new Set(positions);
  const found = new Map<bigint, ArchivedLeaf>();
  const [first = 0n, last = first] = [least(positions), greatest(positions)];
  if (wanted.size === 0) return found;
  for await (const leaves of new LeafReader(log, first - 1n).before(last + 1n)) {
    for (const leaf of leaves) if (wanted.has(leaf.position)) found.set(leaf.position, leaf);
  }
  return found;
}

const least = (all: readonly bigint[]): bigint | undefined =>
  all.reduce((one: bigint | undefined, other) => (one === undefined || other < one ? other : one), undefined);
const greatest = (all: readonly bigint[]): bigint | undefined =>
  all.reduce((one: bigint | undefined, other) => (one === undefined || other > one ? other : one), undefined);

/** Items of one page, at most this many and what one record adds. */
const pageItemsMax = 4_000;

/**
 * A page of the log that was read behind `after`, and before each of its items what stands for the archived events there. An item whose
 * leaf is in a record, too, comes as itself.
 */
export async function* interleaved<Item extends { position: bigint }>(
  page: readonly Item[],
  leaves: LeafReader,
  after: bigint | null,
  standIn: (leaf: ArchivedLeaf) => Item,
): AsyncGenerator<Item[]> {
  // What is no longer on the page had its record appended before the page was read.
  leaves.lookAgain();
  let last = after ?? 0n;
  let items: Item[] = [];
  for (const item of page) {
    if (item.position !== last + 1n) {
      for await (const some of leaves.before(item.position)) {
        for (const leaf of some) items.push(standIn(leaf));
        if (items.length < pageItemsMax) continue;
        yield items;
        items = [];
      }
    }
    leaves.pass(item.position);
    last = item.position;
    items.push(item);
    if (items.length < pageItemsMax) continue;
    yield items;
    items = [];
  }
  if (items.length > 0) yield items;
}

/** Sorted, each position once: two records that were written at the same time may have an event both. */
const inOrder = (leaves: ArchivedLeaf[]): ArchivedLeaf[] =>
  leaves
    .sort((one, other) => (one.position < other.position ? -1 : one.position > other.position ? 1 : 0))
    .filter(({ position }, index, all) => all[index - 1]?.position !== position);
