import pg from 'pg';

/**
 * Hears of commits to the log on one connection, for all subscriptions of a process: each connection that listens costs the server a
 * transaction and a process to wake for each notification in its database.
 */
export class WakeUps {
  readonly #config: pg.ClientConfig;
  readonly #wakes = new Set<() => void>();
  #client: Promise<pg.Client> | null = null;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  /** Calls `wake` after each commit, and when the connection breaks. Returns how to stop. */
  subscribe(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => {
      this.#wakes.delete(wake);
      if (this.#wakes.size === 0) this.#drop();
    };
  }

  /** Resolves when every later commit is heard of. Rejects with the database's error; the next call connects again. */
  async listening(): Promise<void> {
    this.#client ??= this.#connect();
    await this.#client;
  }

  #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    const wakeAll = (): void => {
      for (const wake of this.#wakes) wake();
    };
    const connected = (async () => {
      await client.connect();
      await client.query('listen event_log');
      return client;
    })();
    const broken = (): void => {
      if (this.#client === connected) this.#client = null;
      // Commits may be missed from here on; who is woken connects again.
      wakeAll();
    };
    client.on('notification', wakeAll);
    client.on('error', broken);
    client.on('end', broken);
    connected.catch(() => {
      broken();
      void client.end().catch(() => undefined);
    });
    return connected;
  }

  /** For a subscription that found events of which nobody told: the connection may be dead without a word. The next `listening` connects again. */
  renew(): void {
    this.#drop();
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    void client?.then(destroy, () => undefined);
  }
}

/** Closes the socket at once: `end` waits for the peer, which a dead one makes endless. */
export function destroy(client: pg.Client): void {
  (client as unknown as { connection?: { stream: { destroy(): void } } }).connection?.stream.destroy();
}
