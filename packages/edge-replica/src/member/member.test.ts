import { describe, expect, it } from 'vitest';
import type { Reading } from '../clock.ts';
import { replicaLimits } from '../limits.ts';
import type { FeedMessage, LeaderReply, Scope } from '../messages.ts';
import { at } from '../testing/clocks.ts';
import { createHeldObjects } from './held-objects.ts';
import { Member } from './member.ts';

const grant = { kind: 'granted', epoch: 3, incarnation: 'x', seq: 5, announced: 10n, watermark: 10n } as const;
const change = (seq: number, position: bigint, keys: string[]): FeedMessage => ({
  kind: 'change',
  scope: 'all',
  epoch: 3,
  seq,
  position,
  keys,
  everything: false,
  isLast: true,
});
const heartbeat = { kind: 'heartbeat', scope: 'all', epoch: 3, seq: 5, watermark: 10n } as const;
const often = 'often';
/** A member that was asked for something that changes often, unless it is to cover the rare changes alone. */
const newMember = (scope: Scope = 'all'): Member<string> => {
  const member = new Member<string>(createHeldObjects<string>(100_000), (key) => key === often);
  if (scope === 'all') fill(member, 'first', at(0), [often]);
  return member;
};
const joining = (scope: Scope = 'all'): Member<string> => {
  const member = newMember(scope);
  member.tick(at(0), 'x');
  member.outbox.splice(0);
  return member;
};
const joined = (reply: LeaderReply = grant, scope: Scope = 'all'): Member<string> => {
  const member = joining(scope);
  member.takeReply(reply, at(1));
  return member;
};
/** Asks and takes the answer. @returns whether it is held from now on */
const fill = (member: Member<string>, key: string, now: Reading, dependsOn: string[] = []): boolean => {
  const found = member.lookup(key, now);
  if (found.kind === 'ask') member.answered(found.question, { value: `of ${key}`, dependsOn, bytes: 10 }, now);
  return holds(member, key, now);
};
const holds = (member: Member<string>, key: string, now: Reading): boolean => member.lookup(key, now).kind === 'held';

describe('joining (rule 4)', () => {
  it('sends an incarnation, and holds answers once it is granted', () => {
    const member = newMember();
    member.tick(at(0), 'x');
    expect(member.outbox.splice(0)).toEqual([{ kind: 'join', incarnation: 'x', scope: 'all' }]);
    expect(fill(member, 'a', at(1))).toBe(false);
    member.takeReply(grant, at(2));
    expect(fill(member, 'a', at(3))).toBe(true);
  });

  it('takes no grant of another incarnation, and none twice', () => {
    const member = joining();
    member.takeReply({ ...grant, incarnation: 'y' }, at(1));
    expect(member.isMember(at(1))).toBe(false);
    member.takeReply(grant, at(1));
    member.takeFeed(change(6, 11n, ['a']), at(2));
    member.takeReply(grant, at(3));
    member.takeFeed(change(7, 12n, ['a']), at(4));
    expect(member.isMember(at(4))).toBe(true);
  });

  it('asks anew under a new incarnation when no answer comes, and says that it left the old one', () => {
    const member = joining();
    member.tick(at(299), 'y');
    expect(member.outbox).toEqual([]);
    member.tick(at(300), 'y');
    member.tick(at(320), 'y');
    expect(member.outbox).toEqual([
      { kind: 'left', incarnation: 'x' },
      { kind: 'join', incarnation: 'y', scope: 'all' },
    ]);
    member.takeReply(grant, at(321));
    expect(member.isMember(at(321))).toBe(false);
  });

  it('takes from the feed before the grant what comes after it', () => {
    const member = joining();
    member.takeFeed(change(5, 10n, ['a']), at(1));
    member.takeFeed(change(6, 11n, ['a']), at(1));
    member.takeReply(grant, at(2));
    expect(member.outbox).toEqual([{ kind: 'applied', epoch: 3, incarnation: 'x', position: 11n }]);
  });

  it('gives up if the buffer overflows or has a gap', () => {
    const full = joining();
    for (let seq = 1; seq <= replicaLimits.bufferedMessagesMax + 1; seq += 1)
      full.takeFeed(change(seq, 1n, ['a']), at(1));
    full.takeReply(grant, at(2));
    expect(full.isMember(at(2))).toBe(false);
    const gap = joining();
    gap.takeFeed(change(7, 12n, ['a']), at(1));
    gap.takeReply(grant, at(2));
    expect(gap.isMember(at(2))).toBe(false);
  });
});

describe('the lease (rule 3)', () => {
  it('ends L after the join was sent, and then nothing is held', () => {
    const member = joined();
    expect([fill(member, 'a', at(2)), holds(member, 'a', at(599)), holds(member, 'a', at(600))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(member.outbox).toContainEqual({ kind: 'left', incarnation: 'x' });
  });

  it('is lengthened by an answer, from the sending of the request', () => {
    const member = joined();
    member.tick(at(200), 'y');
    expect(member.outbox).toEqual([{ kind: 'renew', epoch: 3, incarnation: 'x', request: 1, applied: 10n }]);
    member.takeReply({ kind: 'renewed', epoch: 3, incarnation: 'x', request: 1 }, at(590));
    expect([member.isMember(at(799)), member.isMember(at(800))]).toEqual([true, false]);
  });

  it('is not lengthened by an answer that comes late, twice, or to no request', () => {
    const member = joined();
    member.tick(at(200), 'y');
    member.takeReply({ kind: 'renewed', epoch: 3, incarnation: 'x', request: 2 }, at(300));
    member.takeReply({ kind: 'renewed', epoch: 2, incarnation: 'x', request: 1 }, at(300));
    member.takeReply({ kind: 'renewed', epoch: 3, incarnation: 'y', request: 1 }, at(300));
    member.takeReply({ kind: 'renewed', epoch: 3, incarnation: 'x', request: 1 }, at(600));
    expect(member.isMember(at(600))).toBe(false);
  });

  it('is over when the machine slept, or when the leader does not know the member', () => {
    const slept = joined();
    expect(slept.isMember(at(10, 51))).toBe(false);
    const refused = joined();
    refused.takeReply({ kind: 'refused', epoch: 3, incarnation: 'x' }, at(10));
    expect(refused.isMember(at(10))).toBe(false);
  });
});

describe('a change (rules 5 and 6)', () => {
  it('is dropped before it is reported, and an answer is kept again when it is visible', () => {
    const member = joined();
    expect([fill(member, 'a', at(2)), fill(member, 'b', at(2))]).toEqual([true, true]);
    member.takeFeed(change(6, 11n, ['a']), at(3));
    expect(member.outbox).toEqual([{ kind: 'applied', epoch: 3, incarnation: 'x', position: 11n }]);
    expect([holds(member, 'a', at(3)), holds(member, 'b', at(3)), fill(member, 'a', at(3))]).toEqual([
      false,
      true,
      false,
    ]);
    member.takeFeed({ kind: 'watermark', epoch: 3, position: 11n }, at(4));
    expect(fill(member, 'a', at(4))).toBe(true);
  });

  it('drops what depends on it, and an answer that depends on it is not kept until it is visible', () => {
    const member = joined();
    fill(member, 'a', at(2), ['d']);
    fill(member, 'b', at(2), ['e']);
    member.takeFeed(change(6, 11n, ['d']), at(3));
    expect([holds(member, 'a', at(3)), holds(member, 'b', at(3))]).toEqual([false, true]);
    expect([fill(member, 'a', at(3), ['d']), fill(member, 'c', at(3), ['e'])]).toEqual([false, true]);
    member.takeFeed({ kind: 'heartbeat', scope: 'all', epoch: 3, seq: 6, watermark: 11n }, at(4));
    expect(fill(member, 'a', at(4), ['d'])).toBe(true);
  });

  it('of everything empties the member', () => {
    const member = joined();
    fill(member, 'a', at(2));
    member.takeFeed({ ...change(6, 11n, []), everything: true } as FeedMessage, at(3));
    expect([holds(member, 'a', at(3)), fill(member, 'a', at(3)), member.isMember(at(3))]).toEqual([false, false, true]);
  });

  it('in several messages is reported after the last', () => {
    const member = joined();
    member.takeFeed({ ...change(6, 11n, ['a']), isLast: false } as FeedMessage, at(3));
    expect(member.outbox).toEqual([]);
    member.takeFeed(change(7, 11n, ['b']), at(3));
    expect(member.outbox).toEqual([{ kind: 'applied', epoch: 3, incarnation: 'x', position: 11n }]);
  });

  it('that was announced before the grant and is not visible keeps answers from being kept', () => {
    const member = joined({ ...grant, watermark: 9n });
    expect(fill(member, 'a', at(2))).toBe(false);
    member.takeFeed({ kind: 'watermark', epoch: 3, position: 10n }, at(3));
    expect(fill(member, 'a', at(3))).toBe(true);
  });
});

describe('questions (rule 7)', () => {
  it('are shared under a lease, and their answer is kept once', () => {
    const member = joined();
    const first = member.lookup('a', at(2));
    expect(member.lookup('a', at(3))).toEqual({ ...first, kind: 'share' });
    if (first.kind === 'ask') member.answered(first.question, { value: 'v', dependsOn: [], bytes: 1 }, at(4));
    expect(member.lookup('a', at(5))).toEqual({ kind: 'held', value: 'v' });
  });

  it('are not shared without a lease, after a failure, or after any change', () => {
    const out = joining();
    expect([out.lookup('a', at(1)).kind, out.lookup('a', at(1)).kind]).toEqual(['ask', 'ask']);
    const member = joined();
    const failing = member.lookup('a', at(2));
    if (failing.kind === 'ask') member.failed(failing.question);
    expect(member.lookup('a', at(3)).kind).toBe('ask');
    member.takeFeed(change(6, 11n, ['b']), at(4));
    expect([member.lookup('a', at(5)).kind, member.lookup('a', at(5)).kind]).toEqual(['ask', 'ask']);
  });

  const isKept = (dependsOn: string[] | null, between: (member: Member<string>) => void): boolean => {
    const member = joined();
    const found = member.lookup('a', at(2));
    between(member);
    const answer = dependsOn && { value: 'v', dependsOn, bytes: 1 };
    if (found.kind === 'ask') member.answered(found.question, answer, at(4));
    return holds(member, 'a', at(4));
  };
  const changes = (from: number, to: number, key: (seq: number) => string) => (member: Member<string>) => {
    for (let seq = from; seq <= to; seq += 1) {
      const position = BigInt(seq + 5);
      member.takeFeed(change(seq, position, [key(seq)]), at(3));
      member.takeFeed({ kind: 'watermark', epoch: 3, position }, at(3));
    }
  };

  it('are not kept if something that their answer depends on has changed since', () => {
    const changed = changes(6, 11, (seq) => (seq === 11 ? 'd' : 'b'));
    expect([isKept(['c'], changed), isKept(['c', 'd'], changed), isKept(['a'], changed)]).toEqual([true, false, true]);
    expect([
      isKept(
        [],
        changes(6, 6, () => 'a'),
      ),
      isKept(null, () => undefined),
    ]).toEqual([false, false]);
  });

  it('are not kept if more has changed since than a member remembers', () => {
    const { recentKeysMax } = replicaLimits;
    const remembered = changes(6, 5 + recentKeysMax, (seq) => `k${seq}`);
    const forgotten = changes(6, 6 + recentKeysMax, (seq) => `k${seq}`);
    expect([isKept(['c'], remembered), isKept(['c'], forgotten)]).toEqual([true, false]);
  });

  it('are not kept if the end of the lease or a new grant came between', () => {
    const early = joining();
    const before = early.lookup('a', at(1));
    early.takeReply(grant, at(2));
    if (before.kind === 'ask') early.answered(before.question, { value: 'old', dependsOn: [], bytes: 1 }, at(3));
    expect(holds(early, 'a', at(3))).toBe(false);
    const again = joined();
    const asked = again.lookup('a', at(2));
    again.giveUp(at(3));
    again.tick(at(30), 'y');
    again.takeReply({ ...grant, incarnation: 'y' }, at(31));
    if (asked.kind === 'ask') again.answered(asked.question, { value: 'old', dependsOn: [], bytes: 1 }, at(32));
    expect(holds(again, 'a', at(32))).toBe(false);
  });
});

describe('the scope', () => {
  it('is rare changes alone, until an answer needs others: a new membership covers all', () => {
    const member = joined(grant, 'rare');
    expect(member.scope).toBe('rare');
    expect([fill(member, 'a', at(2), ['d']), fill(member, 'b', at(2), [often])]).toEqual([true, false]);
    member.tick(at(25), 'y');
    expect([member.isMember(at(25)), holds(member, 'a', at(25))]).toEqual([false, false]);
    member.tick(at(50), 'y');
    expect(member.outbox).toEqual([
      { kind: 'left', incarnation: 'x' },
      { kind: 'join', incarnation: 'y', scope: 'all' },
    ]);
    member.takeReply({ ...grant, incarnation: 'y' }, at(51));
    expect([fill(member, 'b', at(52), [often]), fill(member, often, at(52))]).toEqual([true, true]);
  });

  it('shares no question while it does not cover all: what its answer depends on is not known', () => {
    const member = joined(grant, 'rare');
    expect([member.lookup('a', at(2)).kind, member.lookup('a', at(2)).kind]).toEqual(['ask', 'ask']);
  });

  it('has a feed of its own, and takes nothing from another', () => {
    const member = joined(grant, 'rare');
    fill(member, 'a', at(2), ['d']);
    member.takeFeed(change(6, 11n, ['d']), at(3));
    member.takeFeed({ kind: 'heartbeat', scope: 'all', epoch: 3, seq: 9, watermark: 10n }, at(3));
    expect([member.isMember(at(3)), member.outbox]).toEqual([true, []]);
    member.takeFeed({ ...change(6, 12n, ['d']), scope: 'rare' } as FeedMessage, at(4));
    expect(holds(member, 'a', at(4))).toBe(false);
    expect(member.outbox).toEqual([{ kind: 'applied', epoch: 3, incarnation: 'x', position: 12n }]);
  });

  it('is rare changes again when nothing has needed others for a while', () => {
    const member = joined();
    let now = 1;
    let request = 0;
    const live = (untilMs: number): void => {
      for (; now < untilMs && member.isMember(at(now)); now += 25) {
        member.tick(at(now), 'y');
        member.takeFeed(heartbeat, at(now));
        for (const message of member.outbox.splice(0)) {
          if (message.kind !== 'renew') continue;
          request = message.request;
          member.takeReply({ kind: 'renewed', epoch: 3, incarnation: 'x', request }, at(now));
        }
      }
    };
    fill(member, 'b', at(1), [often]);
    live(6_000);
    expect(holds(member, 'b', at(now))).toBe(true);
    live(6_000 + replicaLimits.frequentUnusedMs - 50);
    expect(member.isMember(at(now))).toBe(true);
    live(now + 100);
    expect(member.isMember(at(now))).toBe(false);
    member.tick(at(now + 25), 'z');
    expect(member.outbox).toContainEqual({ kind: 'join', incarnation: 'z', scope: 'rare' });
  });
});

describe('a feed that is not heard', () => {
  /** A member whose leader renews its lease all the time. @returns when it says that it has left */
  const leftAt = (member: Member<string>, incarnation: string, fromMs: number): number | null => {
    for (let now = fromMs; now < fromMs + 5_000; now += 25) {
      member.tick(at(now), 'never');
      for (const message of member.outbox.splice(0)) {
        if (message.kind === 'left') return now;
        if (message.kind === 'renew')
          member.takeReply({ kind: 'renewed', epoch: 3, incarnation, request: message.request }, at(now));
      }
    }
    return null;
  };
  const watermark = { kind: 'watermark', epoch: 3, position: 10n } as const;

  it.for<[string, FeedMessage[]]>([
    ['nothing more comes', [heartbeat]],
    ['only other messages come', [heartbeat, watermark, { ...heartbeat, scope: 'rare' }, { ...heartbeat, epoch: 2 }]],
  ])('ends the membership when %s, and another begins at once', ([, messages]) => {
    const member = joined();
    for (const [index, message] of messages.entries()) member.takeFeed(message, at(100 + index * 100));
    expect(leftAt(member, 'x', 400)).toBe(100 + replicaLimits.silenceMs);
    member.tick(at(720), 'y');
    expect(member.outbox).toEqual([{ kind: 'join', incarnation: 'y', scope: 'all' }]);
  });

  it('lets another membership begin later, if nothing was heard at all', () => {
    const member = joined();
    expect(leftAt(member, 'x', 25)).toBe(replicaLimits.silenceMs);
    member.tick(at(10_599), 'y');
    expect(member.outbox).toEqual([]);
    member.tick(at(10_600), 'y');
    expect(member.outbox).toMatchObject([{ kind: 'join', incarnation: 'y' }]);
  });
});

describe('the end of a membership (rule 8)', () => {
  it.for<[string, FeedMessage]>([
    ['a change is missing', change(7, 12n, ['b'])],
    ['a heartbeat names a later change', { kind: 'heartbeat', scope: 'all', epoch: 3, seq: 6, watermark: 10n }],
    ['a newer leader speaks', { kind: 'watermark', epoch: 4, position: 11n }],
    ['the leader stops', { kind: 'leave', epoch: 3 }],
  ])('comes when %s', ([, message]) => {
    const member = joined();
    fill(member, 'a', at(2));
    member.takeFeed(message, at(3));
    expect([member.isMember(at(3)), holds(member, 'a', at(3))]).toEqual([false, false]);
    expect(member.outbox).toEqual([{ kind: 'left', incarnation: 'x' }]);
  });

  it('does not come from an older leader, or from what was heard before', () => {
    const member = joined();
    member.takeFeed({ kind: 'leave', epoch: 2 }, at(3));
    member.takeFeed(change(5, 10n, ['a']), at(3));
    member.takeFeed({ kind: 'heartbeat', scope: 'all', epoch: 3, seq: 4, watermark: 9n }, at(3));
    expect([member.isMember(at(3)), member.outbox]).toEqual([true, []]);
  });
});
