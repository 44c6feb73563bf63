/** The cost of a data frame besides its bytes. Without it a peer could send a window full of empty frames, each of which takes memory here. */
const frameOverheadBytes = 128;

/** Credit used by one data frame; both sides count it the same way. */
export function creditCost(bytes: number): number {
  return bytes + frameOverheadBytes;
}

/**
 * The sending side of one direction: it may send as much as the reader has granted, and waits when that is used up. One waiter at a time. `onIdle` is
 * called when a wait lasts `idleTimeoutMs`.
 */
export class CreditGate {
  readonly #idleTimeoutMs: number;
  readonly #onIdle: () => void;
  #windowBytes = 0;
  #available = 0;
  #waiting: { cost: number; resolve: () => void; reject: (error: Error) => void } | undefined;
  #failure: (() => Error) | undefined;

  constructor(idleTimeoutMs: number, onIdle: () => void) {
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#onIdle = onIdle;
  }

  /** The reader's window, granted as a whole at the start of the stream. */
  open(windowBytes: number): void {
    this.#windowBytes = windowBytes;
    this.add(windowBytes);
  }

  /** Largest data frame that can ever pass: the reader grants more once a quarter of the window has been read. */
  get frameBytesMax(): number {
    return Math.floor(this.#windowBytes / 2) - frameOverheadBytes;
  }

  /** Adds credit granted by the reader. False if the sum exceeds its window: the peer counts in another way. */
  add(bytes: number): boolean {
    this.#available += bytes;
    if (this.#available > this.#windowBytes) return false;
    const waiting = this.#waiting;
    if (waiting && waiting.cost <= this.#available) {
      this.#waiting = undefined;
      this.#available -= waiting.cost;
      waiting.resolve();
    }
    return true;
  }

  /** Resolves when a frame of that many bytes may be sent. Rejects when the stream has failed. */
  async take(bytes: number): Promise<void> {
    if (this.#failure) throw this.#failure();
    const cost = creditCost(bytes);
    if (cost <= this.#available) {
      this.#available -= cost;
      return;
    }
    if (this.#waiting) throw new Error('one write at a time: await the one before');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting = { cost, resolve, reject };
    const timer = setTimeout(this.#onIdle, this.#idleTimeoutMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param makeError Called only if a writer is waiting or comes later: a stream that ended well has none, and creating an error is expensive. */
  fail(makeError: () => Error): void {
    this.#failure ??= makeError;
    this.#waiting?.reject(makeError());
    this.#waiting = undefined;
  }
}
