import type { Server } from 'node:http';
import { text } from 'node:stream/consumers';

export type Peer = { id: number; port: number; internalPort: number };
export type Role = 'follower' | 'candidate' | 'leader' | 'stopping';

type Entry<Content> = { term: number; content: Content };
type Replicate<Content> = {
  term: number;
  leader: number;
  /** How much of the log comes before `entries`, and the term of the last of that. */
  from: number;
  termBefore: number;
  entries: Entry<Content>[];
  committed: number;
};
type Vote = { term: number; length: number; lastTerm: number };

const heartbeatMs = 100;
const answerTimeoutMs = 400;
/** Silence of the leader until others elect; shorter than a real cluster's, so that tests take less time. */
const electionMs = { least: 900, most: 1_500 };
/** After a leader has handed over. */
const handoverMsMax = 300;
const entriesPerMessage = 500;

/** A log that three nodes agree on (Raft, in memory: a node that starts again gets the log from the others). */
export class Raft<Content> {
  readonly #id: number;
  readonly #onCommit: (content: Content) => void;
  readonly #log: Entry<Content>[] = [];
  /** Of each peer: what it has for certain, and what to send next. */
  readonly #has = new Map<number, number>();
  readonly #next = new Map<number, number>();
  readonly #answers = new Map<number, boolean>();
  readonly #committedTo = new Set<() => void>();
  readonly #toReplicate = new Set<() => void>();
  #peers: Peer[] = [];
  #role: Role = 'follower';
  #leader: number | null = null;
  #term = 0;
  #votedIn = 0;
  #committed = 0;
  #electAt = Infinity;

  constructor(id: number, internal: Server, onCommit: (content: Content) => void) {
    this.#id = id;
    this.#onCommit = onCommit;
    internal.on('request', (request, response) => {
      void text(request).then((body) => {
        const message: unknown = JSON.parse(body);
        if (request.url === '/vote') response.end(JSON.stringify(this.#onVote(message as Vote)));
        else if (request.url === '/replicate')
          response.end(JSON.stringify(this.#onReplicate(message as Replicate<Content>)));
        else {
          this.#electAt = Date.now() + Math.random() * handoverMsMax;
          response.end('{}');
        }
      });
    });
  }

  join(peers: Peer[]): void {
    this.#peers = peers;
    this.#expectLeader();
    setInterval(() => {
      if (Date.now() >= this.#electAt) void this.#elect();
    }, heartbeatMs / 4);
  }

  get role(): Role {
    return this.#role;
  }

  /** The leader, as far as this node knows. */
  get leader(): number | null {
    return this.#leader;
  }

  /** Whether a peer answered the last message of this leader. */
  answers(id: number): boolean {
    return this.#answers.get(id) !== false;
  }

  /** Whether everything in the log is committed: a new leader has to see to that first. */
  get isSettled(): boolean {
    return this.#committed === this.#log.length;
  }

  /** Adds to the log; resolves with whether a majority has it. A false one may still be committed by the next leader. */
  async propose(contents: readonly Content[]): Promise<boolean> {
    const term = this.#term;
    this.#log.push(...contents.map((content) => ({ term, content })));
    const end = this.#log.length;
    this.#wakeReplication();
    while (this.#committed < end) {
      if (this.#role !== 'leader' || this.#term !== term) return false;
      await new Promise<void>((resolve) => this.#committedTo.add(resolve));
    }
    return this.#term === term;
  }

  /** Leaves the cluster; a leader hands over. */
  async stop(): Promise<void> {
    const wasLeader = this.#role === 'leader';
    this.#role = 'stopping';
    this.#leader = null;
    this.#electAt = Infinity;
    this.#wake();
    if (wasLeader) await Promise.all(this.#peers.map((peer) => this.#send(peer, '/handover', {})));
  }

  #expectLeader(): void {
    if (this.#role === 'stopping') return;
    this.#electAt = Date.now() + electionMs.least + Math.random() * (electionMs.most - electionMs.least);
  }

  #wake(): void {
    for (const resolve of this.#committedTo) resolve();
    this.#committedTo.clear();
  }

  /** A later term than this node's: whatever it was, it follows now. */
  #heard(term: number): void {
    if (term <= this.#term) return;
    this.#term = term;
    this.#leader = null;
    if (this.#role !== 'stopping') this.#role = 'follower';
    this.#expectLeader();
    this.#wake();
  }

  #onVote({ term, length, lastTerm }: Vote): { term: number; isGiven: boolean } {
    this.#heard(term);
    const ownTerm = this.#log.at(-1)?.term ?? 0;
    const isComplete = lastTerm > ownTerm || (lastTerm === ownTerm && length >= this.#log.length);
    const isGiven = isComplete && this.#role !== 'stopping' && term === this.#term && this.#votedIn < term;
    if (isGiven) {
      this.#votedIn = term;
      this.#expectLeader();
    }
    return { term: this.#term, isGiven };
  }

  async #elect(): Promise<void> {
    this.#role = 'candidate';
    this.#leader = null;
    this.#term += 1;
    const term = this.#term;
    this.#votedIn = term;
    this.#expectLeader();
    const vote: Vote = { term, length: this.#log.length, lastTerm: this.#log.at(-1)?.term ?? 0 };
    await Promise.all(
      this.#peers.map(async (peer) => {
        const answer = await this.#send<{ term: number; isGiven: boolean }>(peer, '/vote', vote);
        if (answer === null) return;
        this.#heard(answer.term);
        // One vote besides its own is a majority of three.
        if (answer.isGiven && this.#term === term && this.#role === 'candidate') this.#lead();
      }),
    );
  }

  #lead(): void {
    const term = this.#term;
    this.#role = 'leader';
    this.#leader = this.#id;
    this.#electAt = Infinity;
    for (const peer of this.#peers) {
      this.#has.set(peer.id, 0);
      this.#next.set(peer.id, this.#log.length);
      void this.#keepReplicating(peer, term);
    }
  }

  /** One message at a time to each peer: what it lacks, at least a heartbeat. */
  async #keepReplicating(peer: Peer, term: number): Promise<void> {
    while (this.#role === 'leader' && this.#term === term) {
      await this.#replicateTo(peer);
      if (this.#answers.get(peer.id) === true && (this.#next.get(peer.id) ?? 0) < this.#log.length) continue;
      await new Promise<void>((resolve) => {
        this.#toReplicate.add(resolve);
        setTimeout(resolve, heartbeatMs);
      });
    }
  }

  #wakeReplication(): void {
    for (const resolve of this.#toReplicate) resolve();
    this.#toReplicate.clear();
  }

  /** Sends a peer what it lacks, or that this node still leads. */
  async #replicateTo(peer: Peer): Promise<void> {
    const term = this.#term;
    const from = Math.min(this.#next.get(peer.id) ?? 0, this.#log.length);
    const message: Replicate<Content> = {
      term,
      leader: this.#id,
      from,
      termBefore: this.#log[from - 1]?.term ?? 0,
      entries: this.#log.slice(from, from + entriesPerMessage),
      committed: this.#committed,
    };
    const answer = await this.#send<{ term: number; has: number }>(peer, '/replicate', message);
    this.#answers.set(peer.id, answer !== null);
    if (answer === null) return;
    this.#heard(answer.term);
    if (this.#role !== 'leader' || this.#term !== term) return;
    this.#has.set(peer.id, answer.has);
    this.#next.set(peer.id, answer.has);
    // With this node's own, a majority of three.
    this.#commit(Math.max(...this.#has.values()));
  }

  #onReplicate(message: Replicate<Content>): { term: number; has: number } {
    this.#heard(message.term);
    if (message.term < this.#term || this.#role === 'stopping') return { term: this.#term, has: 0 };
    this.#role = 'follower';
    this.#leader = message.leader;
    this.#expectLeader();
    const { from, termBefore, entries } = message;
    // What is committed is agreed on; behind that, ask for everything again.
    if (from > this.#log.length || (from > 0 && this.#log[from - 1]?.term !== termBefore)) {
      return { term: this.#term, has: this.#committed };
    }
    for (const [index, entry] of entries.entries()) {
      if (this.#log[from + index]?.term === entry.term) continue;
      this.#log.length = from + index;
      this.#log.push(entry);
    }
    this.#commit(Math.min(message.committed, from + entries.length));
    return { term: this.#term, has: from + entries.length };
  }

  #commit(to: number): void {
    for (; this.#committed < Math.min(to, this.#log.length); this.#committed++) {
      const entry = this.#log[this.#committed];
      if (entry !== undefined) this.#onCommit(entry.content);
    }
    this.#wake();
  }

  async #send<Answer>({ internalPort }: Peer, path: string, message: unknown): Promise<Answer | null> {
    try {
      const signal = AbortSignal.timeout(answerTimeoutMs);
      const url = `http://127.0.0.1:${internalPort}${path}`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(message), signal });
      return (await response.json()) as Answer;
    } catch {
      return null;
    }
  }
}
