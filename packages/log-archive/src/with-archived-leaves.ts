import type { EventLog, PackedEvents, RecordedEvent, Subscription } from '@agent-trust/event-log';
import { fromHex, toHex } from '@agent-trust/transparency-log';
import { interleaved, LeafReader } from './leaf-reader.ts';
import type { ArchivedLeaf } from './packed-lists.ts';

/** Type of what stands for an archived event. No event of a log can have it: types with $ are the log's own. */
const archivedType = '$archived';
/** Nothing younger is ever archived by the command, so behind such an event a subscription looks for nothing. */
const neverArchivedMs = 60 * 60_000;

/** What stands for an archived event where a log is read with its archived leaves: its place and its leaf, and nothing else. */
const standIn = ({ position, eventId, hash }: ArchivedLeaf): RecordedEvent => ({
  eventId,
  type: archivedType,
  data: { leafHash: toHex(hash) },
  metadata: {},
  stream: '',
  revision: 0n,
  position,
  recordedAt: new Date(0),
});

export function isArchivedLeaf({ type }: Pick<RecordedEvent, 'type'>): boolean {
  return type === archivedType;
}

/** The leaf hash of a stand-in; null for an event of the log. */
export function leafOfArchived({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): Uint8Array | null {
  return type === archivedType ? fromHex(data['leafHash'] as string) : null;
}

/**
 * A log whose readers of everything get a stand-in for each event that has left it, at its position: for those who need every leaf of the
 * tree. An event that is in a record and still in the log comes as itself.
 *
 * @param options `youngMs`: the age up to which no event was archived, for logs that were archived sooner than the command does
 */
export function withArchivedLeaves(log: EventLog, { youngMs = neverArchivedMs } = {}): EventLog {
  let pages: Pages | null = null;
  const next = async (after: bigint | null, countMax: number): Promise<RecordedEvent[]> => {
    if (pages === null || pages.after !== after) pages = new Pages(log, after);
    return pages.next(countMax);
  };
  return {
    ...log,
    readAll: ({ after, countMax }) => next(after, countMax),
    readPacked: async ({ after, countMax }): Promise<PackedEvents> => {
      const events = await next(after, countMax);
      return { lastPosition: events.at(-1)?.position ?? null, unpack: () => events };
    },
    subscribeToAll: (options) => {
      const inner = log.subscribeToAll(options);
      return {
        [Symbol.asyncIterator]: () => completed(inner, new LeafReader(log, options.after), options.after, youngMs),
        hurry: () => inner.hurry(),
        close: () => inner.close(),
      } satisfies Subscription;
    },
  };
}

/** Successive pages of a log, each with the leaves of what is archived between its events. */
class Pages {
  /** Where the next page begins; what was given out last. */
  after: bigint | null;
  readonly #log: EventLog;
  readonly #leaves: LeafReader;
  #hotAfter: bigint | null;
  #items: AsyncGenerator<RecordedEvent[]> | null = null;
  #left: RecordedEvent[] = [];

  constructor(log: EventLog, after: bigint | null) {
    this.#log = log;
    this.after = after;
    this.#hotAfter = after;
    this.#leaves = new LeafReader(log, after);
  }

  async next(countMax: number): Promise<RecordedEvent[]> {
    while (this.#left.length === 0) {
      if (this.#items === null) {
        const page = await this.#log.readPacked({ after: this.#hotAfter, countMax });
        if (page.lastPosition === null) return [];
        this.#items = merged([...page.unpack()], this.#leaves, this.#hotAfter);
        this.#hotAfter = page.lastPosition;
      }
      const { value, done } = await this.#items.next();
      if (done === true) this.#items = null;
      else this.#left = value;
    }
    const given = this.#left.slice(0, countMax);
    this.#left = this.#left.slice(given.length);
    this.after = given.at(-1)?.position ?? this.after;
    return given;
  }
}

async function* completed(
  inner: Subscription,
  leaves: LeafReader,
  start: bigint | null,
  youngMs: number,
): AsyncGenerator<RecordedEvent[], void, undefined> {
  let after = start;
  let isRecent = false;
  for await (const batch of inner) {
    const last = batch.at(-1);
    if (isRecent) yield batch;
    else yield* merged(batch, leaves, after);
    after = last?.position ?? after;
    isRecent = last !== undefined && Date.now() - last.recordedAt.getTime() < youngMs;
  }
}

const merged = (
  events: readonly RecordedEvent[],
  leaves: LeafReader,
  after: bigint | null,
): AsyncGenerator<RecordedEvent[]> => interleaved(events, leaves, after, standIn);
