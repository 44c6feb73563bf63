import { hasPassed, isWithin, type Reading } from '../clock.ts';
import { replicaLimits } from '../limits.ts';
import type {
  ChangeMessage,
  FeedMessage,
  IsFrequent,
  LeaderReply,
  MemberMessage,
  Position,
  Scope,
} from '../messages.ts';
import type { Held, HeldObjects } from './held-objects.ts';
import { Lease } from './lease.ts';
import { RecentChanges } from './recent-changes.ts';

type Joining = { kind: 'joining'; scope: Scope; incarnation: string; sentAt: Reading; buffer: FeedMessage[] };
type Joined = {
  kind: 'joined';
  scope: Scope;
  incarnation: string;
  epoch: number;
  lease: Lease;
  seq: number;
  applied: Position;
  /** Everything up to here is visible. */
  watermark: Position;
  recent: RecentChanges;
  /** When a heartbeat was last heard, or the join was sent. */
  heardAt: Reading;
  hasHeard: boolean;
};
type State = { kind: 'out'; since: Reading | null; pauseMs: number } | Joining | Joined;

/** A question that is on its way to a service. Each has a number of its own; a repeat is a new question (rule 7). */
export type Question = {
  readonly id: number;
  readonly key: string;
  /** The membership under which it was asked, and what was visible to everybody then; null without a lease. */
  readonly asked: { readonly incarnation: string; readonly watermark: Position } | null;
};

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
  protected readonly isFrequent: IsFrequent;
  protected state: State = { kind: 'out', since: null, pauseMs: 0 };
  protected questions = 0;
  /** When an answer that depends on a frequent key was last asked for. */
  protected frequentAt: Reading | null = null;
  /** The last question of each key that is on its way. */
  protected readonly shared = new Map<string, Question>();

  constructor(held: HeldObjects<Value>, isFrequent: IsFrequent) {
    this.held = held;
    this.isFrequent = isFrequent;
  }

  /** The value of a key if it is held. Nothing may be awaited between reading the clock and using the value (rule 3). */
  heldValue(key: string, now: Reading): Value | undefined {
    return this.underLease(now) === null ? undefined : this.heldAt(key, now)?.value;
  }

  /** Looks a key up. Nothing may be awaited between reading the clock and using the value (rule 3). */
  lookup(key: string, now: Reading): Lookup<Value> {
    const joined = this.underLease(now);
    if (joined !== null) {
      const held = this.heldAt(key, now);
      if (held !== undefined) return { kind: 'held', value: held.value };
      const shared = this.shared.get(key);
      if (shared !== undefined && this.mayShare(joined, shared)) return { kind: 'share', question: shared };
    }
    this.questions += 1;
    const asked = joined && { incarnation: joined.incarnation, watermark: joined.watermark };
    const question: Question = { id: this.questions, key, asked };
    if (joined !== null && this.shared.size < replicaLimits.sharedQuestionsMax) this.shared.set(key, question);
    return { kind: 'ask', question };
  }

  /** Keeps an answer, unless it may lack a change of what it depends on (rule 7). @param answer null if it is not to be kept */
  answered(question: Question, answer: Held<Value> | null, now: Reading): void {
    const joined = this.underLease(now);
    this.unshare(question);
    if (answer === null) return;
    const isFrequent = this.isFrequent(question.key) || answer.dependsOn.some(this.isFrequent);
    if (isFrequent) this.frequentAt = now;
    if (joined === null || !this.mayKeep(joined, question, answer)) return;
    if (isFrequent && !this.coversFrequent(joined)) return;
    this.held.set(question.key, { ...answer, isFrequent });
  }

  /** Nobody shares a question that has failed. */
  failed(question: Question): void {
    this.unshare(question);
  }

  takeFeed(message: FeedMessage, now: Reading): void {
    if (!this.isOfScope(message)) return;
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
        if (state.since === null || hasPassed(state.pauseMs, state.since, now)) this.askToJoin(now, incarnation);
        return;
      case 'joining':
        if (!isWithin(replicaLimits.joinTimeoutMs, state.sentAt, now)) this.giveUp(now);
        return;
      case 'joined': {
        const joined = this.underLease(now);
        if (joined === null) return;
        if (this.isSilent(joined, now))
          return this.giveUp(now, joined.hasHeard ? undefined : replicaLimits.rejoinUnheardPauseMs);
        // A membership has one scope: another one begins with nothing.
        if (joined.scope === this.wantedScope(now)) this.renew(joined, now);
        else this.giveUp(now);
        return;
      }
      default:
        state satisfies never;
    }
  }

  /** Gives up its membership, if it has one: for what cannot be understood, a lost connection, and the end of the process. */
  giveUp(now: Reading, pauseMs: number = replicaLimits.rejoinPauseMs): void {
    const { state } = this;
    this.held.clear();
    this.shared.clear();
    if (state.kind === 'out') return;
    this.state = { kind: 'out', since: now, pauseMs };
    // It is empty and will never take the grant, so nobody has to wait until its lease ends (rule 4).
    this.outbox.push({ kind: 'left', incarnation: state.incarnation });
  }

  isMember(now: Reading): boolean {
    return this.underLease(now) !== null;
  }

  /** The scope of the membership that is asked for or held; null without one. */
  get scope(): Scope | null {
    return this.state.kind === 'out' ? null : this.state.scope;
  }

  protected wantedScope(now: Reading): Scope {
    const { frequentAt } = this;
    return frequentAt === null || hasPassed(replicaLimits.frequentUnusedMs, frequentAt, now) ? 'rare' : 'all';
  }

  /** Feeds count by themselves: a change of another scope would pass for the next one of this scope. */
  protected isOfScope(message: FeedMessage): boolean {
    return !('scope' in message) || message.scope === this.scope;
  }

  /** A member of the other scope hears of no frequent change, and nobody waits until it has dropped what that alters. */
  protected coversFrequent(joined: Joined): boolean {
    return joined.scope === 'all';
  }

  protected heldAt(key: string, now: Reading): Held<Value> | undefined {
    const held = this.held.get(key);
    if (held?.isFrequent === true) this.frequentAt = now;
    return held;
  }

  protected askToJoin(now: Reading, incarnation: string): void {
    const scope = this.wantedScope(now);
    this.state = { kind: 'joining', scope, incarnation, sentAt: now, buffer: [] };
    this.outbox.push({ kind: 'join', incarnation, scope });
  }

  protected join(
    { scope, incarnation, sentAt, buffer }: Joining,
    grant: LeaderReply & { kind: 'granted' },
    now: Reading,
  ): void {
    const { epoch, seq, announced, watermark } = grant;
    this.state = {
      kind: 'joined',
      scope,
      incarnation,
      epoch,
      lease: new Lease(sentAt),
      seq,
      applied: announced,
      watermark,
      recent: new RecentChanges(announced),
      heardAt: sentAt,
      hasHeard: false,
    };
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
        this.reach(joined, message.position);
        return;
      case 'heartbeat':
        // Rule 8: a change was lost.
        if (message.seq > joined.seq) return this.giveUp(now);
        joined.heardAt = now;
        joined.hasHeard = true;
        this.reach(joined, message.watermark);
        return;
      case 'leave':
        return this.giveUp(now);
      default:
        message satisfies never;
    }
  }

  /** Its subscription ended or leads nowhere: it would renew its lease, apply nothing and keep every commit waiting. */
  protected isSilent({ heardAt }: Joined, now: Reading): boolean {
    return hasPassed(replicaLimits.silenceMs, heardAt, now);
  }

  protected isNext(joined: Joined, message: ChangeMessage): boolean {
    return message.seq === joined.seq + 1;
  }

  /** Rule 5: drops what the change alters, before it says that it has applied the change. */
  protected apply(joined: Joined, message: ChangeMessage): void {
    joined.recent.add(message);
    this.dropAnswers(message);
  }

  protected dropAnswers({ keys, everything }: ChangeMessage): void {
    if (everything) this.held.clear();
    for (const key of keys) this.held.drop(key);
  }

  protected reach(joined: Joined, watermark: Position): void {
    if (joined.watermark < watermark) joined.watermark = watermark;
  }

  protected report(joined: Joined, position: Position): void {
    joined.applied = position;
    const { epoch, incarnation } = joined;
    this.outbox.push({ kind: 'applied', epoch, incarnation, position });
  }

  /**
   * An answer has all that was visible when it was asked for. What was announced later, or was announced then and not yet visible, it has or
   * lacks; so it is kept if nothing of that is of what it depends on. That is known only now.
   */
  protected mayKeep(joined: Joined, { key, asked }: Question, { dependsOn }: Held<Value>): boolean {
    if (asked === null || asked.incarnation !== joined.incarnation) return false;
    return !joined.recent.anyOfAfter([key], asked.watermark) && !joined.recent.anyOfAfter(dependsOn, asked.watermark);
  }

  /**
   * Another reader may wait for the same answer while nothing was announced that was not visible when it was asked for: what the answer
   * depends on is not known yet. So only who hears of everything shares.
   */
  protected mayShare(joined: Joined, { asked }: Question): boolean {
    if (asked === null || asked.incarnation !== joined.incarnation) return false;
    return this.coversFrequent(joined) && !joined.recent.anyAfter(asked.watermark);
  }

  protected unshare({ id, key }: Question): void {
    if (this.shared.get(key)?.id === id) this.shared.delete(key);
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
