import { hasPassed, isWithin, type Reading } from '../clock.ts';
import { replicaLimits } from '../limits.ts';
import type { ChangeMessage, FeedMessage, LeaderReply, MemberMessage, Position } from '../messages.ts';
import type { Held, HeldObjects } from './held-objects.ts';
import { Lease } from './lease.ts';
import { Pending } from './pending.ts';

type Joining = { kind: 'joining'; incarnation: string; sentAt: Reading; buffer: FeedMessage[] };
type Joined = {
  kind: 'joined';
  incarnation: string;
  epoch: number;
  lease: Lease;
  seq: number;
  applied: Position;
  pending: Pending;
};
type State = { kind: 'out'; since: Reading | null } | Joining | Joined;

/** A question that is on its way to a service. Each has a number of its own; a repeat is a new question (rule 7). */
export type Question = { readonly id: number; readonly key: string };

export type Lookup<Value> =
  | { readonly kind: 'held'; readonly value: Value }
  /** Ask, and pass the answer to `answered` or the failure to `failed`. */
  | { readonly kind: 'ask'; readonly question: Question }
  /** The same question is under way; its answer is as good. */
  | { readonly kind: 'share'; readonly question: Question };

/**
 * The side of the protocol that answers from memory. It holds answers only under a lease, and drops what a change alters before the change
 * is visible to anybody; so what it holds is what everybody who asks would be answered.
 *
 * Every method takes what the clocks say now, read after the message or the request came in; what is to be sent waits in `outbox`.
 */
export class Member<Value> {
  /** Messages to the leader that the caller sends, and empties. */
  readonly outbox: MemberMessage[] = [];
  protected readonly held: HeldObjects<Value>;
  protected state: State = { kind: 'out', since: null };
  protected questions = 0;
  /** Questions whose answers may be kept: asked under the present lease, and nothing of them has changed since. */
  protected readonly keepable = new Map<string, Question>();

  constructor(held: HeldObjects<Value>) {
    this.held = held;
  }

  /** Looks a key up. Nothing may be awaited between reading the clock and using the value (rule 3). */
  lookup(key: string, now: Reading): Lookup<Value> {
    const joined = this.underLease(now);
    if (joined !== null) {
      const held = this.held.get(key);
      if (held !== undefined) return { kind: 'held', value: held.value };
      const asked = this.keepable.get(key);
      if (asked !== undefined) return { kind: 'share', question: asked };
    }
    this.questions += 1;
    const question: Question = { id: this.questions, key };
    if (joined !== null && this.mayKeep(joined, key)) this.keepable.set(key, question);
    return { kind: 'ask', question };
  }

  /** Keeps an answer, unless something may have changed since the question was asked (rule 7). */
  answered(question: Question, answer: Held<Value>, now: Reading): void {
    const joined = this.underLease(now);
    if (this.keepable.get(question.key)?.id !== question.id) return;
    this.keepable.delete(question.key);
    if (joined !== null) this.held.set(question.key, answer);
  }

  /** Nobody shares a question that has failed. */
  failed(question: Question): void {
    if (this.keepable.get(question.key)?.id === question.id) this.keepable.delete(question.key);
  }

  takeFeed(message: FeedMessage, now: Reading): void {
    if (this.state.kind === 'joining') {
      // What comes before the grant is taken after it, in order (rule 4).
      this.state.buffer.push(message);
      if (this.state.buffer.length > replicaLimits.bufferedMessagesMax) this.giveUp(now);
      return;
    }
    const joined = this.underLease(now);
    if (joined !== null) this.follow(joined, message, now);
  }

  takeReply(reply: LeaderReply, now: Reading): void {
    const { state } = this;
    if (state.kind === 'out' || reply.incarnation !== state.incarnation) return;
    switch (reply.kind) {
      case 'granted':
        // A grant is taken once, while that very join is awaited (rule 4).
        if (state.kind === 'joining') this.join(state, reply, now);
        return;
      case 'renewed':
        if (state.kind === 'joined' && reply.epoch === state.epoch) state.lease.answered(reply.request, now);
        return;
      case 'refused':
        if (state.kind === 'joined' && reply.epoch === state.epoch) this.giveUp(now);
        return;
      default:
        reply satisfies never;
    }
  }

  /** Called every few milliseconds. @param incarnation random, never used before; for a join, if one is due */
  tick(now: Reading, incarnation: string): void {
    const { state } = this;
    switch (state.kind) {
      case 'out':
        if (state.since === null || hasPassed(replicaLimits.rejoinPauseMs, state.since, now))
          this.askToJoin(now, incarnation);
        return;
      case 'joining':
        if (!isWithin(replicaLimits.joinTimeoutMs, state.sentAt, now)) this.giveUp(now);
        return;
      case 'joined': {
        const joined = this.underLease(now);
        if (joined !== null) this.renew(joined, now);
        return;
      }
      default:
        state satisfies never;
    }
  }

  /** Gives up its membership, if it has one: for what cannot be understood, a lost connection, and the end of the process. */
  giveUp(now: Reading): void {
    const { state } = this;
    this.held.clear();
    this.keepable.clear();
    if (state.kind === 'out') return;
    this.state = { kind: 'out', since: now };
    // It is empty and will never take the grant, so nobody has to wait until its lease ends (rule 4).
    this.outbox.push({ kind: 'left', incarnation: state.incarnation });
  }

  isMember(now: Reading): boolean {
    return this.underLease(now) !== null;
  }

  protected askToJoin(now: Reading, incarnation: string): void {
    this.state = { kind: 'joining', incarnation, sentAt: now, buffer: [] };
    this.outbox.push({ kind: 'join', incarnation });
  }

  protected join(
    { incarnation, sentAt, buffer }: Joining,
    grant: LeaderReply & { kind: 'granted' },
    now: Reading,
  ): void {
    const { epoch, seq, announced, watermark } = grant;
    // Nothing that was asked before the grant may be kept (rule 7): an announced change may have been made visible meanwhile.
    this.keepable.clear();
    const pending = new Pending(announced, watermark);
    this.state = { kind: 'joined', incarnation, epoch, lease: new Lease(sentAt), seq, applied: announced, pending };
    for (const message of buffer) {
      const joined = this.underLease(now);
      if (joined === null) return;
      this.follow(joined, message, now);
    }
  }

  protected renew(joined: Joined, now: Reading): void {
    const request = joined.lease.nextRequest(now);
    if (request === null) return;
    const { epoch, incarnation, applied } = joined;
    this.outbox.push({ kind: 'renew', epoch, incarnation, request, applied });
  }

  protected follow(joined: Joined, message: FeedMessage, now: Reading): void {
    if (message.epoch < joined.epoch) return;
    // Rule 8: a newer leader does not know this member.
    if (message.epoch > joined.epoch) return this.giveUp(now);
    switch (message.kind) {
      case 'change':
        // Before the grant, or twice.
        if (message.seq <= joined.seq) return;
        if (!this.isNext(joined, message)) return this.giveUp(now);
        joined.seq = message.seq;
        this.apply(joined, message);
        if (message.isLast) this.report(joined, message.position);
        return;
      case 'watermark':
        joined.pending.reached(message.position);
        return;
      case 'heartbeat':
        // Rule 8: a change was lost.
        if (message.seq > joined.seq) return this.giveUp(now);
        joined.pending.reached(message.watermark);
        return;
      case 'leave':
        return this.giveUp(now);
      default:
        message satisfies never;
    }
  }

  protected isNext(joined: Joined, message: ChangeMessage): boolean {
    return message.seq === joined.seq + 1;
  }

  /** Rule 5: drops what the change alters, before it says that it has applied the change. */
  protected apply(joined: Joined, message: ChangeMessage): void {
    joined.pending.add(message);
    this.dropAnswers(message);
    this.dropQuestions(message);
  }

  protected dropAnswers({ keys, groups, everything }: ChangeMessage): void {
    if (everything) this.held.clear();
    for (const key of keys) this.held.delete(key);
    for (const group of groups) this.held.deleteGroup(group);
  }

  /** Which groups an answer belongs to is known when it comes. */
  protected dropQuestions({ keys, groups, everything }: ChangeMessage): void {
    if (everything || groups.length > 0) this.keepable.clear();
    for (const key of keys) this.keepable.delete(key);
  }

  protected report(joined: Joined, position: Position): void {
    joined.applied = position;
    const { epoch, incarnation } = joined;
    this.outbox.push({ kind: 'applied', epoch, incarnation, position });
  }

  protected mayKeep(joined: Joined, key: string): boolean {
    return !joined.pending.has(key) && this.keepable.size < replicaLimits.questionsMax;
  }

  /** The membership, if its lease holds; one that has ended is given up. */
  protected underLease(now: Reading): Joined | null {
    const { state } = this;
    if (state.kind !== 'joined') return null;
    if (this.leaseHolds(state, now)) return state;
    this.giveUp(now);
    return null;
  }

  protected leaseHolds(joined: Joined, now: Reading): boolean {
    return joined.lease.holds(now);
  }
}
