import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a real server, which a test can make fail. */
export interface FaultProxy {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** The server's URL with this proxy's host and port; user, password, path and query stay. */
  readonly url: string;
  /** Open connections now, and the total so far. */
  readonly connections: () => { readonly open: number; readonly total: number };
  /** Resets every open connection, as a crashed peer or a firewall does. New ones are accepted. */
  readonly cut: () => void;
  /** Stalls: no bytes are carried in either direction, connections stay open; new ones are accepted and stall, too. */
  readonly stall: () => void;
  /** Carries bytes again, including those held back. */
  readonly resume: () => void;
  /** Refuses new connections (reset at once) until `accept`. */
  readonly refuse: () => void;
  readonly accept: () => void;
  /** Connections that were refused so far. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/**
 * Listens on a loopback port and carries connections to `target`, e.g. `postgres://user:pw@127.0.0.1:5432/db` or `nats://127.0.0.1:4222`.
 * Held-back bytes stay in the sockets' own buffers, so a stalled proxy also shows back-pressure to the sender.
 */
export async function faultProxy(target: string): Promise<FaultProxy> {
  const targetUrl = new URL(target);
  const targetHost = targetUrl.hostname.replace(/^\[|\]$/g, '');
  const pairs = new Set<Pair>();
  let stalled = false;
  let refusing = false;
  let total = 0;
  let refused = 0;

  const join = (pair: Pair): void => {
    pair.near.pipe(pair.far);
    pair.far.pipe(pair.near);
  };
  const part = (pair: Pair): void => {
    pair.near.unpipe(pair.far).pause();
    pair.far.unpipe(pair.near).pause();
  };
  const end = (pair: Pair): void => {
    pairs.delete(pair);
    pair.near.destroy();
    pair.far.destroy();
  };

  const server = createServer((near) => {
    if (refusing) {
      refused += 1;
      near.resetAndDestroy();
      return;
    }
    const pair: Pair = { near, far: connect({ host: targetHost, port: Number(targetUrl.port) }) };
    total += 1;
    pairs.add(pair);
    for (const socket of [pair.near, pair.far]) {
      socket.setNoDelay(true);
      socket.on('error', () => end(pair));
      socket.on('close', () => end(pair));
    }
    if (!stalled) join(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const cut = (): void => {
    for (const pair of pairs) {
      pair.near.resetAndDestroy();
      pair.far.resetAndDestroy();
    }
    pairs.clear();
  };
  return {
    host: '127.0.0.1',
    port,
    // Replaced in the text: URL's setters ignore schemes that they do not know, and drop a default port.
    url: target.replace(targetUrl.host, `127.0.0.1:${port}`),
    connections: () => ({ open: pairs.size, total }),
    cut,
    stall: () => {
      stalled = true;
      for (const pair of pairs) part(pair);
    },
    resume: () => {
      stalled = false;
      for (const pair of pairs) join(pair);
    },
    refuse: () => {
      refusing = true;
    },
    accept: () => {
      refusing = false;
    },
    refused: () => refused,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
