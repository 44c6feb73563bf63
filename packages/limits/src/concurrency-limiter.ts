/** What a request counts towards: at most `max` requests at a time, or an amount of something, hold a permit under one key. */
export type Share = { readonly key: string; readonly max: number };

/** Either a permit, whose `release` takes effect only once, or the first share that was full. */
export type Permit<Full extends Share> = { full?: never; release: () => void } | { full: Full; release?: never };

/** Limits the number of concurrent requests under one or several keys. Its memory is bounded by the requests under way. */
export class ConcurrencyLimiter {
  readonly #running = new Map<string, number>();

  /** Counts one request, or `amount`, towards all of `shares`, or towards none if one has no room. The keys of one request differ. */
  tryAcquire<Of extends Share>(shares: readonly Of[], amount = 1): Permit<Of> {
    const full = shares.find(({ key, max }) => this.running(key) + amount > max);
    if (full !== undefined) return { full };
    for (const { key } of shares) this.#running.set(key, this.running(key) + amount);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      for (const { key } of shares) {
        const left = this.running(key) - amount;
        if (left > 0) this.#running.set(key, left);
        else this.#running.delete(key);
      }
    };
    return { release };
  }

  running(key: string): number {
    return this.#running.get(key) ?? 0;
  }
}
