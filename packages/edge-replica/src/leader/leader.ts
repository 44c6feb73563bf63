import { hasPassed, type Reading } from '../clock.ts';
import { forgetAfterMs, replicaLimits } from '../limits.ts';
import type {
  Changed,
  ChangeMessage,
  FeedMessage,
  IsFrequent,
  LeaderReply,
  MemberMessage,
  Position,
  Scope,
} from '../messages.ts';
import type { Leadership } from './leadership.ts';
import { Members } from './members.ts';

/** What was announced to the members of a scope, and when, where it is not visible yet. */
type Announced = { seq: number; position: Position; unshown: { position: Position; at: Reading }[] };

/**
 * The side of the protocol that makes changes visible: the process that holds the registry's one lock. It announces a change, waits until
 * no member can answer without it, and only then makes it visible:
 *
 *     announce(batch)  ->  members drop what it changes and report  ->  mayShow  ->  the change is made visible  ->  hasShown
 *
 * Every method takes what the clocks say now; what is to be published waits in `feed` until the caller sends it, in order.
 */
export class Leader {
  /** Messages that the caller publishes, and empties. */
  readonly feed: FeedMessage[] = [];
  protected readonly epoch: number;
  protected readonly leadership: Leadership;
  protected readonly members: Members;
  protected readonly isFrequent: IsFrequent;
  /** Each scope has a feed of its own, complete in itself. */
  protected readonly announced: Record<Scope, Announced>;
  /** Of a batch in the order of the log, also one that changes nothing. */
  protected lastAnnounced: Position;
  /** The watermark: everything up to here is visible. */
  protected visible: Position;
  protected heartbeatAtMs = Number.NEGATIVE_INFINITY;
  protected isHandingOver = false;

  /**
   * @param options.epoch never used before, and higher than those that were
   * @param options.visible what readers who ask see now
   */
  constructor(options: {
    epoch: number;
    leadership: Leadership;
    visible: Position;
    isFrequent: IsFrequent;
    members?: Members;
  }) {
    this.epoch = options.epoch;
    this.leadership = options.leadership;
    this.members = options.members ?? new Members();
    this.visible = options.visible;
    this.lastAnnounced = options.visible;
    this.isFrequent = options.isFrequent;
    const announced: Announced = { seq: 0, position: options.visible, unshown: [] };
    this.announced = { rare: announced, all: { ...announced, unshown: [] } };
  }

  get watermark(): Position {
    return this.visible;
  }

  get membersCount(): number {
    return this.members.count;
  }

  isOpen(now: Reading): boolean {
    return !this.isHandingOver && this.leadership.mayOpen(this.visible, now);
  }

  /**
   * Publishes what a batch changes (rule 2). Nothing of it may be visible before `mayShow` says so.
   *
   * @throws RangeError for a lower position than before: who has applied the higher one would not be waited for
   */
  announce(position: Position, changed: Changed, now: Reading): void {
    if (position < this.lastAnnounced)
      throw new RangeError(`position ${position} is announced after ${this.lastAnnounced}`);
    this.lastAnnounced = position;
    this.announceTo('all', position, changed, now);
    const keys = changed.keys.filter((key) => !this.isFrequent(key));
    this.announceTo('rare', position, { ...changed, keys }, now);
  }

  protected announceTo(scope: Scope, position: Position, changed: Changed, now: Reading): void {
    if (changed.keys.length === 0 && !changed.everything) return;
    const announced = this.announced[scope];
    // Who joins later begins after it.
    const isAwaited = this.members.covers(scope);
    for (const part of partsOf(changed)) {
      announced.seq += 1;
      if (isAwaited)
        this.feed.push({ kind: 'change', scope, epoch: this.epoch, seq: announced.seq, position, ...part });
    }
    announced.position = position;
    announced.unshown.push({ position, at: now });
  }

  /**
   * Whether everything up to `position` may become visible: no member can answer without what was announced up to there. Asked directly
   * before it becomes visible (rules 6 and 9).
   */
  mayShow(position: Position, now: Reading): boolean {
    this.members.forget(now);
    return (
      this.leadership.leads(now) &&
      this.leadership.oldLeasesAreOver(now) &&
      this.isApplied('rare', position) &&
      this.isApplied('all', position)
    );
  }

  protected isApplied(scope: Scope, position: Position): boolean {
    const announced = this.announced[scope].position;
    return this.members.haveApplied(scope, position < announced ? position : announced);
  }

  /** Everything up to `position` has become visible: writers may be answered, and members keep answers again. */
  hasShown(position: Position, now: Reading): void {
    if (position <= this.visible) return;
    this.visible = position;
    for (const { unshown } of Object.values(this.announced)) {
      while (unshown[0] !== undefined && unshown[0].position <= position) unshown.shift();
    }
    if (this.leadership.leads(now)) this.feed.push({ kind: 'watermark', epoch: this.epoch, position });
  }

  /**
   * @param from where the answer goes: nobody else speaks for a member
   * @returns the answer to a member's message, where it gets one (rules 3, 4 and 9)
   */
  take(message: MemberMessage, from: string, now: Reading): LeaderReply | null {
    const { incarnation } = message;
    this.members.forget(now);
    if (this.members.isForged(incarnation, from)) return null;
    switch (message.kind) {
      case 'join':
        return this.isOpen(now) &&
          this.members.admit(incarnation, from, message.scope, this.announced[message.scope].position, now)
          ? this.grant(incarnation, message.scope)
          : null;
      case 'renew': {
        const { epoch } = this;
        if (message.epoch !== epoch || !this.leadership.leads(now) || this.isHandingOver) return null;
        const overdue = { rare: this.overdue('rare', now), all: this.overdue('all', now) };
        if (!this.members.renew(incarnation, message.applied, now, overdue))
          return { kind: 'refused', epoch, incarnation };
        return { kind: 'renewed', epoch, incarnation, request: message.request };
      }
      case 'applied':
        if (message.epoch === this.epoch) this.members.hasApplied(incarnation, message.position);
        return null;
      case 'left':
        this.members.remove(incarnation);
        return null;
      default:
        return message satisfies never;
    }
  }

  /** Called at least as often as heartbeats are due (rule 2). */
  tick(now: Reading): void {
    this.members.forget(now);
    if (!this.leadership.leads(now) || now.monotonicMs - this.heartbeatAtMs < replicaLimits.heartbeatEveryMs) return;
    this.heartbeatAtMs = now.monotonicMs;
    // Also where nobody is a member: writers hear them.
    for (const scope of ['rare', 'all'] as const) {
      const { seq } = this.announced[scope];
      this.feed.push({ kind: 'heartbeat', scope, epoch: this.epoch, seq, watermark: this.visible });
    }
  }

  /** Admits and renews nobody from here on, and asks its members to leave. */
  handOver(): void {
    if (this.isHandingOver) return;
    this.isHandingOver = true;
    this.feed.push({ kind: 'leave', epoch: this.epoch });
  }

  /** Whether a successor need not wait for any lease that this leader granted. */
  hasHandedOver(now: Reading): boolean {
    this.members.forget(now);
    return this.isHandingOver && this.members.count === 0 && this.leadership.oldLeasesAreOver(now);
  }

  /** What was announced so long ago that a member which lacks it does not hear its feed. */
  protected overdue(scope: Scope, now: Reading): Position | null {
    return this.announced[scope].unshown.findLast(({ at }) => hasPassed(forgetAfterMs, at, now))?.position ?? null;
  }

  /**
   * A new member begins at the last announced change, which may not be visible yet: it holds nothing, so it cannot answer without the
   * change, and it keeps no answer until all of it is visible.
   */
  protected grant(incarnation: string, scope: Scope): LeaderReply {
    const { epoch, visible } = this;
    const { seq, position } = this.announced[scope];
    return { kind: 'granted', epoch, incarnation, seq, announced: position, watermark: visible };
  }
}

type Part = Changed & Pick<ChangeMessage, 'isLast'>;

const partsOf = ({ keys, everything }: Changed): Part[] => {
  const { keysPerMessageMax, keysPerChangeMax } = replicaLimits;
  if (everything || keys.length > keysPerChangeMax) return [{ keys: [], everything: true, isLast: true }];
  const parts: Part[] = [];
  for (let from = 0; from < keys.length; from += keysPerMessageMax) {
    const to = from + keysPerMessageMax;
    parts.push({ keys: keys.slice(from, to), everything: false, isLast: to >= keys.length });
  }
  return parts;
};
