import type { Reading } from '../clock.ts';
import { Leader } from '../leader/leader.ts';
import { Leadership } from '../leader/leadership.ts';
import { Members } from '../leader/members.ts';
import type { Held, HeldObjects } from '../member/held-objects.ts';
import { Member, type Question } from '../member/member.ts';
import type { Changed, FeedMessage, IsFrequent, LeaderReply, MemberMessage, Scope } from '../messages.ts';

/** The code that a world runs: the real one, or a mutant that breaks one rule. */
export type Code = {
  Member: typeof Member<number>;
  Leader: typeof Leader;
  Leadership: typeof Leadership;
  Members: typeof Members;
  /** Breaks the services around the protocol: they answer what was announced and is not visible yet. */
  answersWhatWasAnnounced?: boolean;
};
export const realCode: Code = { Member, Leader, Leadership, Members };

/** What may happen in a world, and how often. */
export type Bounds = {
  /**
   * What each write changes: `a` is the object that is read. It depends on `d`, until the write `m` makes it depend on `e`; that is a change
   * of `d`. `x` changes `b` and `d`. `b` and the one that it does not depend on leave it as it is.
   */
  writes: string;
  /** `shared`: all instances answer from rows that outlive a leader. `own`: each leader answers from its memory. */
  rows: 'shared' | 'own';
  /** Keys that change frequently; by default all that the object depends on. */
  frequent?: string;
  /** Which changes each member covers at first; by default all. */
  scopes?: readonly Scope[];
  /** Whether the members begin with a lease and the object. */
  warm: boolean;
  /** Of each member: joins, renewals, reads. */
  joins: readonly number[];
  renewals: readonly number[];
  reads: readonly number[];
  /** Of the world: lost messages of the feed, repeated joins, steps of time, leaders that lose the lock, orderly handovers. */
  drops: number;
  repeats: number;
  ticks: number;
  takeovers: number;
  handovers: number;
  /** Leaders send heartbeats; they do where messages are lost. */
  heartbeats?: boolean;
  /** Nothing of the feed reaches the members. Then nobody may hold a commit up for long. */
  isDeaf?: boolean;
  /** Length of a step of time. By default two of them are less than a lease, and three as long as a leader waits for its end. */
  tickMs?: number;
  /** How fast the clocks of leaders and members run. */
  rates?: { leaders: number; members: number };
};

const defaultTickMs = 250;

export class PlainHeld implements HeldObjects<number> {
  readonly objects = new Map<string, Held<number>>();
  get(key: string): Held<number> | undefined {
    return this.objects.get(key);
  }
  set(key: string, held: Held<number>): void {
    this.objects.set(key, held);
  }
  drop(key: string): void {
    this.objects.delete(key);
    for (const [one, { dependsOn }] of this.objects) if (dependsOn.includes(key)) this.objects.delete(one);
  }
  clear(): void {
    this.objects.clear();
  }
}

/** A read that waits for an answer. `need`: what was acknowledged or shown before it was asked. */
export type Reader = { question: number; need: number };

export type LeaderHost = {
  leader: Leader;
  /** Its session is gone; it may not have noticed. */
  lost: boolean;
  checkedAtMs: number;
  readHead: boolean;
  announced: number;
  /** Since when it has waited for members, in a world that asks for it. */
  waitingSinceMs: number | null;
  visible: number;
  /** A transaction that was sent on the session that holds the lock. */
  committing: number | null;
};

export type MemberHost = {
  member: Member<number>;
  incarnations: number;
  renewals: number;
  reads: number;
  readers: Reader[];
};

export type Upward = MemberMessage | { kind: 'question'; question: Question };
export type Downward =
  | LeaderReply
  /** Comes by a way of its own: before or after what was published before it. */
  | (FeedMessage & { kind: 'watermark' })
  | { kind: 'answer'; question: Question; value: number; dependsOn: string[] };

export type World = {
  nowMs: number;
  tickMs: number;
  rates: { leaders: number; members: number };
  head: number;
  /** Rows that everybody reads; in a world of own rows the highest that any leader showed. */
  rows: number;
  /** The highest value that a read returned. What is visible counts as acknowledged at once. */
  shown: number;
  drops: number;
  repeats: number;
  takeovers: number;
  handovers: number;
  leaders: LeaderHost[];
  members: MemberHost[];
  /** To each member from each leader, in order. */
  feeds: FeedMessage[][][];
  /** In any order. */
  upward: Upward[][];
  downward: Downward[][];
};

/** The object that is read, at a position. Its value: how many writes changed it. */
export function objectAt(bounds: Bounds, position: number): { value: number; dependsOn: string[] } {
  let [value, dependency] = [0, 'd'];
  for (const write of bounds.writes.slice(0, position)) {
    if (write === 'a' || write === dependency || ('mx'.includes(write) && dependency === 'd')) value += 1;
    if (write === 'm') dependency = 'e';
  }
  return { value, dependsOn: [dependency] };
}

/** What the leader announces of a write. */
export function changedBy(write: string): Changed {
  const keys = write === 'm' ? ['d'] : write === 'x' ? ['b', 'd'] : [write];
  return { keys, everything: false };
}

export function isFrequentIn({ frequent = 'de' }: Bounds): IsFrequent {
  return (key) => frequent.includes(key);
}

/** What the clocks of a leader or a member say. */
export function reading({ nowMs, rates }: World, of: 'leaders' | 'members'): Reading {
  return { monotonicMs: nowMs * rates[of], wallMs: nowMs * rates[of] };
}

export function leadershipOf({ leader }: LeaderHost): Leadership {
  return (leader as unknown as { leadership: Leadership }).leadership;
}

export function newLeader(
  code: Code,
  bounds: Bounds,
  epoch: number,
  at: Reading,
  predecessorIsGone: boolean,
  visible: number,
): LeaderHost {
  const leadership = new code.Leadership({ sentAt: at, answeredAt: at }, predecessorIsGone);
  const leader = new code.Leader({
    epoch,
    leadership,
    visible: BigInt(visible),
    isFrequent: isFrequentIn(bounds),
    members: new code.Members(),
  });
  return {
    leader,
    lost: false,
    checkedAtMs: at.monotonicMs,
    readHead: false,
    announced: visible,
    waitingSinceMs: null,
    visible,
    committing: null,
  };
}

export function firstWorld(code: Code, bounds: Bounds): World {
  const at: Reading = { monotonicMs: 0, wallMs: 0 };
  const first = newLeader(code, bounds, 1, at, true, 0);
  leadershipOf(first).headWasRead(0n, at);
  first.readHead = true;
  const world: World = {
    nowMs: 0,
    tickMs: bounds.tickMs ?? defaultTickMs,
    rates: bounds.rates ?? { leaders: 1, members: 1 },
    // Only a leader that catches up is concerned with when a write is appended.
    head: bounds.rows === 'own' && bounds.takeovers > 0 ? 0 : bounds.writes.length,
    rows: 0,
    shown: 0,
    drops: 0,
    repeats: 0,
    takeovers: 0,
    handovers: 0,
    leaders: [first],
    members: bounds.reads.map((_, index) => ({
      member: newMember(code, bounds, bounds.scopes?.[index] ?? 'all', at),
      incarnations: 0,
      renewals: 0,
      reads: 0,
      readers: [],
    })),
    feeds: bounds.reads.map(() => [[]]),
    upward: bounds.reads.map(() => []),
    downward: bounds.reads.map(() => []),
  };
  if (bounds.warm)
    for (const [index, host] of world.members.entries())
      if ((bounds.joins[index] ?? 0) > 0) warmUp(host, first, index, at, bounds);
  return world;
}

/** One that covers all changes has asked for an answer that needs it. */
const newMember = (code: Code, bounds: Bounds, scope: Scope, at: Reading): Member<number> => {
  const member = new code.Member(new PlainHeld(), isFrequentIn(bounds));
  if (scope === 'all') (member as unknown as { frequentAt: Reading }).frequentAt = at;
  return member;
};

const warmUp = (host: MemberHost, { leader }: LeaderHost, index: number, at: Reading, bounds: Bounds): void => {
  const { member } = host;
  host.incarnations = 1;
  member.tick(at, `${index}.1`);
  for (const message of member.outbox.splice(0)) {
    const reply = leader.take(message, '', at);
    if (reply !== null) member.takeReply(reply, at);
  }
  const asked = member.lookup('a', at);
  if (asked.kind === 'ask') member.answered(asked.question, { ...objectAt(bounds, 0), bytes: 1 }, at);
};
