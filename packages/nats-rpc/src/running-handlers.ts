/** The running handlers of one method, and those that wait for them to end. */
export class RunningHandlers<Handler> implements Iterable<Handler> {
  readonly #handlers = new Set<Handler>();
  readonly #idleWaiters: (() => void)[] = [];

  get count(): number {
    return this.#handlers.size;
  }

  add(handler: Handler): void {
    this.#handlers.add(handler);
  }

  remove(handler: Handler): void {
    this.#handlers.delete(handler);
    if (this.#handlers.size === 0) for (const wake of this.#idleWaiters.splice(0)) wake();
  }

  /** Resolves when no handler is running. */
  async idle(): Promise<void> {
    if (this.#handlers.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idleWaiters.push(resolve);
    await promise;
  }

  [Symbol.iterator](): Iterator<Handler> {
    return this.#handlers.values();
  }
}
