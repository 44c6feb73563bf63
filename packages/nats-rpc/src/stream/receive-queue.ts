import { creditCost } from './credit.ts';

type ReceiveQueueOptions = {
  /** Bytes that the sender may have in transit or unread here; they are granted again once read. */
  windowBytes: number;
  idleTimeoutMs: number;
  /** Grants the sender that many more bytes. */
  onCredit(bytes: number): void;
  /** The reader has waited `idleTimeoutMs` for the next chunk. */
  onIdle(): void;
  /** The reader left before the end. */
  onLeft(): void;
};

type Entry = { bytes: Uint8Array; cost: number };
type Waiter = { resolve: (result: IteratorResult<Uint8Array, undefined>) => void; reject: (error: Error) => void };

/** The receiving side of one direction: data received and not read yet, never more than the window. For one reader. */
export class ReceiveQueue implements AsyncIterable<Uint8Array> {
  readonly #options: ReceiveQueueOptions;
  readonly #entries: Entry[] = [];
  #creditLeft: number;
  #readSinceCredit = 0;
  #end: { error: Error | undefined } | undefined;
  #waiter: Waiter | undefined;
  #timer: NodeJS.Timeout | undefined;
  #taken = false;
  #discarding = false;

  constructor(options: ReceiveQueueOptions) {
    this.#options = options;
    this.#creditLeft = options.windowBytes;
  }

  /** Adds a chunk that was paid for with credit. False if the sender had too little left: it exceeds the window. */
  push(bytes: Uint8Array): boolean {
    const cost = creditCost(bytes.length);
    if (cost > this.#creditLeft) return false;
    this.#creditLeft -= cost;
    this.#accept({ bytes, cost });
    return true;
  }

  /** Adds bytes that came inside another message and cost no credit. */
  pushInline(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#accept({ bytes, cost: 0 });
  }

  /** No more data will come; data already here can still be read. With an error, reading ends with it. */
  end(error?: Error): void {
    if (this.#end) return;
    this.#end = { error };
    if (this.#waiter) this.#settleEnd(this.#releaseWaiter());
  }

  /** Ends at once with an error, and drops unread data. */
  abort(error: Error): void {
    this.#entries.length = 0;
    if (this.#end?.error === undefined) this.#end = undefined;
    this.end(error);
  }

  /** Unread bytes. */
  get bufferedBytes(): number {
    return this.#entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    if (this.#taken) throw new Error('the body of a stream can be read once');
    this.#taken = true;
    return {
      next: () => this.#next(),
      return: async () => {
        const left = this.#end === undefined || this.#entries.length > 0;
        // Data that still arrives is dropped and its credit returned, so that an unwanted body does not block the sender.
        this.#discarding = true;
        for (const entry of this.#entries.splice(0)) this.#read(entry);
        if (left) this.#options.onLeft();
        return { done: true, value: undefined };
      },
    };
  }

  #accept(entry: Entry): void {
    if (this.#end) return;
    if (this.#discarding) this.#read(entry);
    else if (this.#waiter) this.#releaseWaiter()?.resolve({ done: false, value: this.#read(entry) });
    else this.#entries.push(entry);
  }

  #read(entry: Entry): Uint8Array {
    this.#readSinceCredit += entry.cost;
    if (this.#readSinceCredit >= this.#options.windowBytes / 4 && !this.#end) {
      const granted = this.#readSinceCredit;
      this.#readSinceCredit = 0;
      this.#creditLeft += granted;
      this.#options.onCredit(granted);
    }
    return entry.bytes;
  }

  #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const entry = this.#entries.shift();
    if (entry) return Promise.resolve({ done: false, value: this.#read(entry) });
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array, undefined>>();
    if (this.#end) {
      this.#settleEnd({ resolve, reject });
    } else if (this.#waiter) {
      reject(new Error('one read at a time: await the one before'));
    } else {
      this.#waiter = { resolve, reject };
      this.#timer = setTimeout(() => this.#options.onIdle(), this.#options.idleTimeoutMs);
    }
    return promise;
  }

  #releaseWaiter(): Waiter | undefined {
    clearTimeout(this.#timer);
    const waiter = this.#waiter;
    this.#waiter = undefined;
    return waiter;
  }

  #settleEnd(waiter: Waiter | undefined): void {
    if (this.#end?.error) waiter?.reject(this.#end.error);
    else waiter?.resolve({ done: true, value: undefined });
  }
}
