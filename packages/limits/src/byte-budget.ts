import { ConcurrencyLimiter, type Permit, type Share } from './concurrency-limiter.ts';

/** Bytes that are held at one time, of everything that counts under a share's key. */
export type ByteShare = Share;

/** As many bytes as may be are held, and none became free in time. */
export class BudgetFullError extends Error {
  constructor(waitMs: number) {
    super(`no room for so many bytes within ${Math.round(waitMs)} ms`);
    this.name = 'BudgetFullError';
  }
}

type Waiting = {
  shares: readonly ByteShare[];
  bytes: number;
  /** The share without room for it. */
  full: ByteShare;
  admit: (release: () => void) => void;
};

/**
 * Limits the bytes that a process holds for requests and answers under way. Whoever takes, takes all that it will need: what has a part of its
 * bytes never waits for the rest, so none block one another.
 */
export class ByteBudget {
  readonly #held = new ConcurrencyLimiter();
  readonly #waitingMax: number;
  #waiting: Waiting[] = [];

  /** @param waitingMax Of those who wait at one time. */
  constructor(waitingMax: number = Infinity) {
    this.#waitingMax = waitingMax;
  }

  /** Takes bytes under all of `shares`, or says which share has no room. Does not take precedence over those who wait for one of them. */
  tryTake<Of extends ByteShare>(shares: readonly Of[], bytes: number): Permit<Of> {
    const waitedFor = shares.find(({ key }) => this.#waiting.some(({ full }) => full.key === key));
    return waitedFor === undefined ? this.#take(shares, bytes) : { full: waitedFor };
  }

  /**
   * Takes bytes when there is room, after those who came before; resolves with what releases them.
   * @throws BudgetFullError after `waitMs`, or at once if too many wait.
   */
  async take(shares: readonly ByteShare[], bytes: number, waitMs: number): Promise<() => void> {
    const { release, full } = this.tryTake(shares, bytes);
    if (release !== undefined) return release;
    if (this.#waiting.length >= this.#waitingMax) throw new BudgetFullError(0);
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const one: Waiting = { shares, bytes, full, admit: resolve };
    this.#waiting.push(one);
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
      reject(new BudgetFullError(waitMs));
      this.#admitWaiting();
    }, waitMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Bytes held under a key. */
  held(key: string): number {
    return this.#held.running(key);
  }

  #take<Of extends ByteShare>(shares: readonly Of[], bytes: number): Permit<Of> {
    const permit = this.#held.tryAcquire(shares, bytes);
    if (permit.release === undefined) return permit;
    const { release } = permit;
    return {
      release: () => {
        release();
        this.#admitWaiting();
      },
    };
  }

  /**
   * Nobody overtakes who waits for room in the same share: small ones would keep a large one out for ever. Who waits for another share does not
   * keep anybody from theirs.
   */
  #admitWaiting(): void {
    const closed = new Set<string>();
    this.#waiting = this.#waiting.filter((one) => {
      const { shares, bytes } = one;
      const behind = shares.find(({ key }) => closed.has(key));
      const { release, full } = behind === undefined ? this.#take(shares, bytes) : { full: behind };
      if (release !== undefined) {
        one.admit(release);
        return false;
      }
      one.full = full;
      closed.add(full.key);
      return true;
    });
  }
}
