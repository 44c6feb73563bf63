import { createServer } from 'node:http';
import { type AppendRefusal, type CallFailure, failures, refusals } from './faults.ts';
import type { Member } from './gossip.ts';
import { type Peer, Raft } from './raft.ts';
import type { AppendDecision, Expected, ProposedEvent, Store } from './store.ts';

type Outcome = AppendDecision | AppendRefusal | CallFailure;
type Queued = {
  stream: string;
  expected: Expected;
  proposed: readonly ProposedEvent[];
  resolve: (outcome: Outcome) => void;
};
/** An append as nodes send it to each other. */
type WireAppend = {
  stream: string;
  createdMs: number;
  events: { id: string; metadata: [string, string][]; customMetadata: string; data: string }[];
};

/** How long a node that was told to stop still answers, as a real one does: that it is not ready. */
const stoppingMs = 1_500;

/**
 * A node of a cluster, which acknowledges an append when a majority has it.
 *
 * To its clients it behaves as a real node does: a follower names the leader, or says that it knows none; a leader that is told to stop hands over
 * and says for a while that it is not ready, and the others name it in their gossip until they have elected another.
 */
export class ClusterNode {
  readonly internalPort: number;
  readonly #id: number;
  readonly #store: Store;
  readonly #raft: Raft<WireAppend>;
  readonly #written = new Map<string, AppendDecision>();
  #port = 0;
  #peers: Peer[] = [];
  #queue: Queued[] = [];
  #isWriting = false;

  static async start(store: Store, { id, internalPort }: { id: number; internalPort: number }): Promise<ClusterNode> {
    const internal = createServer();
    await new Promise<void>((resolve) => internal.listen(internalPort, '127.0.0.1', resolve));
    const address = internal.address();
    const bound = typeof address === 'object' && address !== null ? address.port : 0;
    return new ClusterNode(id, store, bound, (node, apply) => new Raft(id, internal, (append) => apply(node, append)));
  }

  private constructor(
    id: number,
    store: Store,
    internalPort: number,
    raftOf: (node: ClusterNode, apply: (node: ClusterNode, append: WireAppend) => void) => Raft<WireAppend>,
  ) {
    this.#id = id;
    this.#store = store;
    this.internalPort = internalPort;
    this.#raft = raftOf(this, (node, append) => node.#apply(append));
  }

  join(nodes: readonly Peer[], port: number): void {
    this.#port = port;
    this.#peers = nodes.filter(({ id }) => id !== this.#id);
    this.#raft.join(this.#peers);
  }

  isLeader(): boolean {
    return this.#raft.role === 'leader' && (this.#raft.isSettled || this.#isWriting);
  }

  members(): Member[] {
    const { role, leader } = this.#raft;
    const own = role === 'stopping' ? 'shutting down' : role === 'follower' ? 'follower' : 'unknown';
    const others = this.#peers.map(({ id, port }): Member => {
      const state = id === leader ? 'leader' : leader === null ? 'unknown' : 'follower';
      return { port, state, isAlive: role !== 'leader' || this.#raft.answers(id) };
    });
    return [{ port: this.#port, state: this.isLeader() ? 'leader' : own, isAlive: true }, ...others];
  }

  /** Why a call that only the leader answers is refused. */
  refusal(): CallFailure | null {
    const { role, leader } = this.#raft;
    if (role !== 'follower') return this.isLeader() ? null : failures.unavailable;
    const known = this.#peers.find(({ id }) => id === leader);
    return known === undefined ? failures.noLeader : failures.notLeader('127.0.0.1', known.port);
  }

  append(stream: string, expected: Expected, proposed: readonly ProposedEvent[]): Promise<Outcome> {
    const refusal = this.refusal();
    if (refusal === failures.unavailable) return Promise.resolve(refusals.notReady);
    if (refusal === failures.noLeader) return Promise.resolve(refusals.noLeader);
    if (refusal !== null) return Promise.resolve(refusal);
    return new Promise((resolve) => {
      this.#queue.push({ stream, expected, proposed, resolve });
      void this.#writeQueued();
    });
  }

  /** Hands over, and resolves when the process may end. */
  async stop(): Promise<void> {
    await this.#raft.stop();
    await new Promise((resolve) => setTimeout(resolve, stoppingMs));
  }

  async #writeQueued(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#queue.length > 0) {
      // Of each stream one at a time: the next one is decided on what this one leaves.
      const batch = new Map<string, Queued>();
      const later: Queued[] = [];
      for (const queued of this.#queue) {
        if (batch.has(queued.stream)) later.push(queued);
        else batch.set(queued.stream, queued);
      }
      this.#queue = later;
      const writes = [...batch.values()].filter(({ stream, expected, proposed, resolve }) => {
        const decision = this.#store.check(stream, expected, proposed);
        if (decision !== 'write') resolve(decision);
        return decision === 'write';
      });
      if (writes.length === 0) continue;
      const isCommitted = await this.#raft.propose(writes.map(toWire));
      for (const { stream, resolve } of writes) {
        // As a real leader that has lost its followers: it does not know.
        resolve((isCommitted ? this.#written.get(stream) : undefined) ?? refusals.timeout);
      }
      this.#written.clear();
    }
    this.#isWriting = false;
  }

  #apply({ stream, createdMs, events }: WireAppend): void {
    const proposed = events.map(({ id, metadata, customMetadata, data }) => ({
      id,
      metadata: new Map(metadata),
      customMetadata: Buffer.from(customMetadata, 'base64'),
      data: Buffer.from(data, 'base64'),
    }));
    this.#written.set(stream, this.#store.write(stream, proposed, createdMs));
  }
}

const toWire = ({ stream, proposed }: Queued): WireAppend => ({
  stream,
  createdMs: Date.now(),
  events: proposed.map(({ id, metadata, customMetadata, data }) => ({
    id,
    metadata: [...metadata],
    customMetadata: Buffer.from(customMetadata).toString('base64'),
    data: Buffer.from(data).toString('base64'),
  })),
});
