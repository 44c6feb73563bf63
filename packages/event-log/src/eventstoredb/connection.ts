import { pause, withDeadline } from '@agent-trust/limits';
import { EventLogClosedError, EventLogUnavailableError } from '../errors.ts';
import type { Endpoint, ServerAddress } from './connection-string.ts';
import { nodeFault } from './failures.ts';
import { findLeader } from './gossip.ts';
import { Node, nameOf } from './node.ts';

/**
 * The connection to the node that is the leader now. All calls of one event log go over it: it is replaced when a call finds that the node is
 * silent, gone, or not the leader.
 */
export class Connection {
  readonly #address: ServerAddress;
  readonly #closing: AbortSignal;
  #node: Node | null = null;
  #search: Promise<Node> | null = null;
  /** What is known of the cluster besides its address. */
  #members: Endpoint[] = [];
  #check: Promise<void> | null = null;

  constructor(address: ServerAddress, closing: AbortSignal) {
    this.#address = address;
    this.#closing = closing;
  }

  /** The node to call. Rejects with `EventLogUnavailableError` if no leader was found within `deadlineMs`. */
  async node(deadlineMs: number): Promise<Node> {
    if (this.#closing.aborted) throw new EventLogClosedError('The event log is closed.');
    if (this.#node !== null && this.#check === null) return this.#node;
    if (this.#address.kind === 'node') return this.#use(first(this.#address.endpoints));
    const node = this.#check === null ? this.#searched() : this.#check.then(() => this.#node ?? this.#searched());
    const names = this.#address.endpoints.map(nameOf).join(', ');
    const late = `No leader of ${names} was found within ${Math.round(deadlineMs)} ms.`;
    return withDeadline(node, deadlineMs, () => new EventLogUnavailableError(late));
  }

  /** Notes that a call on `node` failed. */
  failed(node: Node, cause: unknown): void {
    const fault = nodeFault(cause);
    if (fault === 'lost') this.#lost(node);
    else if (fault === 'in doubt') this.#doubt(node);
    // A cluster is asked: a node that is not the leader may name one that is gone.
    else if (fault !== null) this.#lost(node, this.#address.kind === 'node' ? fault.leader : null);
  }

  /** `node` is unusable: its other calls end, too. `leader`: the node that it named. */
  #lost(node: Node, leader: Endpoint | null = null): void {
    if (this.#node !== node) return;
    this.#node = null;
    node.close();
    if (leader !== null && !this.#closing.aborted) this.#use(leader);
  }

  /** Asks the cluster whether `node` is still its leader; new calls wait for the answer. */
  #doubt(node: Node): void {
    if (this.#node !== node || this.#address.kind === 'node' || this.#closing.aborted) return;
    this.#check ??= this.#ask()
      .then((leader) => {
        if (leader === null || nameOf(leader) !== nameOf(node.endpoint)) this.#lost(node, leader);
      })
      .finally(() => {
        this.#check = null;
      });
  }

  close(): void {
    const node = this.#node;
    this.#node = null;
    node?.close();
  }

  #use(endpoint: Endpoint): Node {
    this.#node = new Node(this.#address, endpoint);
    return this.#node;
  }

  #searched(): Promise<Node> {
    this.#search ??= this.#findLeader().finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  /** Asks until there is a leader. Goes on while nobody waits: the next caller is served the sooner. */
  async #findLeader(): Promise<Node> {
    while (!this.#closing.aborted) {
      const leader = await this.#ask();
      if (this.#closing.aborted) break;
      if (this.#node !== null) return this.#node;
      if (leader !== null) return this.#use(leader);
      await pause(this.#address.discoveryIntervalMs, this.#closing);
    }
    throw new EventLogClosedError('The event log is closed.');
  }

  async #ask(): Promise<Endpoint | null> {
    const { leader, members } = await findLeader(this.#address, this.#members, this.#closing);
    if (members.length > 0) this.#members = members;
    return leader;
  }
}

const first = (endpoints: readonly Endpoint[]): Endpoint => {
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new RangeError('an address without a node');
  return endpoint;
};
