import { describe, expect, it } from 'vitest';
import { replicaLimits } from '../limits.ts';
import type { Changed, FeedMessage } from '../messages.ts';
import { at } from '../testing/clocks.ts';
import { Leader } from './leader.ts';
import { Leadership } from './leadership.ts';

const isFrequent = (key: string): boolean => key.startsWith('often');
const openLeader = (): { leader: Leader; leadership: Leadership } => {
  const leadership = new Leadership({ sentAt: at(0), answeredAt: at(0) }, true);
  leadership.headWasRead(0n, at(0));
  return { leader: new Leader({ epoch: 3, leadership, visible: 0n, isFrequent }), leadership };
};
const keys = (...names: string[]): Changed => ({ keys: names, everything: false });
const sent = (leader: Leader): FeedMessage[] => leader.feed.splice(0);
const from = 'of one';
const join = { kind: 'join', incarnation: 'x', scope: 'all' } as const;

describe('the feed (rule 2)', () => {
  it('numbers changes, and names in each part of a large batch the position and whether it is the last', () => {
    const { leader } = openLeader();
    leader.take(join, from, at(1));
    leader.announce(1n, keys('a'), at(1));
    leader.announce(
      2n,
      keys(...Array.from({ length: replicaLimits.keysPerMessageMax + 1 }, (_, index) => `k${index}`)),
      at(1),
    );
    const parts = sent(leader).filter((message) => message.kind === 'change');
    expect(parts.map(({ seq, position, isLast, keys: named }) => [seq, position, isLast, named.length])).toEqual([
      [1, 1n, true, 1],
      [2, 2n, false, replicaLimits.keysPerMessageMax],
      [3, 2n, true, 1],
    ]);
  });

  it('says that everything changes if a batch changes very much, and nothing if it changes nothing', () => {
    const { leader } = openLeader();
    leader.take(join, from, at(1));
    leader.announce(1n, keys(), at(1));
    leader.announce(
      2n,
      keys(...Array.from({ length: replicaLimits.keysPerChangeMax + 1 }, (_, index) => `k${index}`)),
      at(1),
    );
    expect(sent(leader)).toEqual([
      { kind: 'change', scope: 'all', epoch: 3, seq: 1, position: 2n, keys: [], everything: true, isLast: true },
    ]);
  });

  it('never goes back, not even past a batch that changes nothing, or below what was visible at first', () => {
    const { leader } = openLeader();
    expect(() => leader.announce(-1n, keys('a'), at(1))).toThrow(RangeError);
    leader.announce(2n, keys('a'), at(1));
    leader.announce(2n, keys('b'), at(1));
    leader.announce(4n, keys(), at(1));
    leader.take(join, from, at(1));
    expect(() => leader.announce(3n, keys('a'), at(1))).toThrow('position 3 is announced after 4');
    expect([sent(leader), leader.mayShow(4n, at(1))]).toEqual([[], true]);
  });

  it('has a heartbeat every 100 ms, while it leads', () => {
    const { leader } = openLeader();
    for (const ms of [0, 50, 99, 100, 700]) leader.tick(at(ms));
    const heartbeat = { kind: 'heartbeat', epoch: 3, seq: 0, watermark: 0n };
    const ofScopes = [
      { ...heartbeat, scope: 'rare' },
      { ...heartbeat, scope: 'all' },
    ];
    expect(sent(leader)).toEqual([...ofScopes, ...ofScopes]);
  });
});

describe('what may become visible', () => {
  it('is what every member has applied', () => {
    const { leader } = openLeader();
    leader.take(join, from, at(1));
    leader.take({ ...join, incarnation: 'y' }, from, at(1));
    leader.announce(1n, keys('a'), at(1));
    leader.take({ kind: 'applied', epoch: 3, incarnation: 'x', position: 1n }, from, at(2));
    expect(leader.mayShow(1n, at(2))).toBe(false);
    leader.take({ kind: 'applied', epoch: 2, incarnation: 'y', position: 1n }, from, at(2));
    expect(leader.mayShow(1n, at(2))).toBe(false);
    leader.take({ kind: 'applied', epoch: 3, incarnation: 'y', position: 1n }, from, at(3));
    expect(leader.mayShow(1n, at(3))).toBe(true);
    sent(leader);
    leader.hasShown(1n, at(3));
    expect(sent(leader)).toEqual([{ kind: 'watermark', epoch: 3, position: 1n }]);
  });

  it('waits for nobody where nothing changes, and not for who left', () => {
    const { leader } = openLeader();
    leader.take(join, from, at(1));
    leader.announce(1n, keys(), at(1));
    expect(leader.mayShow(1n, at(1))).toBe(true);
    leader.announce(2n, keys('a'), at(1));
    expect(leader.mayShow(2n, at(1))).toBe(false);
    leader.take({ kind: 'left', incarnation: 'x' }, from, at(2));
    expect(leader.mayShow(2n, at(2))).toBe(true);
  });

  it('is nothing without leading', () => {
    const { leader } = openLeader();
    expect([leader.mayShow(1n, at(599)), leader.mayShow(1n, at(600))]).toEqual([true, false]);
  });
});

describe('the scopes', () => {
  const rare = { ...join, incarnation: 'r', scope: 'rare' } as const;

  it('have a feed each: that of the rare changes has no frequent key, and numbers of its own', () => {
    const { leader } = openLeader();
    for (const one of [join, rare]) leader.take(one, from, at(1));
    leader.announce(1n, keys('often 1'), at(1));
    leader.announce(2n, keys('often 2', 'a'), at(1));
    leader.announce(3n, { keys: [], everything: true }, at(1));
    const feeds = Object.groupBy(
      sent(leader).filter((message) => message.kind === 'change'),
      ({ scope }) => scope,
    );
    const of = (scope: 'rare' | 'all') =>
      feeds[scope]?.map(({ seq, position, keys: named, everything }) => [seq, position, everything ? 'all' : named]);
    expect(of('all')).toEqual([
      [1, 1n, ['often 1']],
      [2, 2n, ['often 2', 'a']],
      [3, 3n, 'all'],
    ]);
    expect(of('rare')).toEqual([
      [1, 2n, ['a']],
      [2, 3n, 'all'],
    ]);
  });

  it('are waited for each for what it was told', () => {
    const { leader } = openLeader();
    for (const one of [join, rare]) leader.take(one, from, at(1));
    const applied = (incarnation: string, position: bigint) =>
      leader.take({ kind: 'applied', epoch: 3, incarnation, position }, from, at(2));
    leader.announce(1n, keys('often'), at(1));
    expect(leader.mayShow(1n, at(2))).toBe(false);
    applied('x', 1n);
    expect(leader.mayShow(1n, at(2))).toBe(true);
    leader.announce(2n, keys('a'), at(1));
    applied('x', 2n);
    expect(leader.mayShow(2n, at(2))).toBe(false);
    applied('r', 2n);
    expect(leader.mayShow(2n, at(2))).toBe(true);
  });

  it('are told nothing where they have no member, and who joins begins after it', () => {
    const { leader } = openLeader();
    leader.take(rare, from, at(1));
    sent(leader);
    leader.announce(1n, keys('often'), at(1));
    expect([sent(leader), leader.mayShow(1n, at(1))]).toEqual([[], true]);
    expect(leader.take(join, from, at(2))).toMatchObject({ seq: 1, announced: 1n, watermark: 0n });
    expect(leader.take({ ...rare, incarnation: 's' }, from, at(2))).toMatchObject({ seq: 0, announced: 0n });
  });
});

describe('members (rules 3 and 4)', () => {
  it('are forgotten L × 1.25 after their last request, and not taken back', () => {
    const { leader, leadership } = openLeader();
    expect(leader.take(join, from, at(100))).toMatchObject({ kind: 'granted', seq: 0, announced: 0n, watermark: 0n });
    leadership.confirmed(at(800));
    leader.tick(at(849));
    expect(leader.membersCount).toBe(1);
    const renew = { kind: 'renew', epoch: 3, incarnation: 'x', request: 1, applied: 0n } as const;
    expect(leader.take(renew, from, at(849))).toMatchObject({ kind: 'renewed', request: 1 });
    leadership.confirmed(at(1_500));
    expect(leader.take(renew, from, at(1_599))).toEqual({ kind: 'refused', epoch: 3, incarnation: 'x' });
    expect(leader.membersCount).toBe(0);
  });

  it('are forgotten, whatever they ask, when they have not applied what was announced long ago', () => {
    const { leader, leadership } = openLeader();
    const renewed = (ms: number, applied: bigint) => {
      leadership.confirmed(at(ms));
      return leader.take({ kind: 'renew', epoch: 3, incarnation: 'x', request: 1, applied }, from, at(ms))?.kind;
    };
    leader.take(join, from, at(1));
    leader.announce(1n, keys('a'), at(100));
    leader.announce(2n, keys('a'), at(200));
    expect([renewed(300, 0n), renewed(800, 0n), renewed(849, 0n), renewed(850, 0n)]).toEqual([
      'renewed',
      'renewed',
      'renewed',
      'refused',
    ]);
    // It may catch up until it is forgotten.
    expect([renewed(900, 1n), renewed(949, 0n), renewed(950, 1n)]).toEqual(['renewed', 'renewed', 'refused']);
    leadership.confirmed(at(1_600));
    expect([leader.mayShow(2n, at(1_698)), leader.mayShow(2n, at(1_699))]).toEqual([false, true]);
    expect(renewed(1_700, 2n)).toBe('refused');
  });

  it('are renewed however far the log has gone, when nothing of it is for them or all of it is visible', () => {
    const { leader, leadership } = openLeader();
    leader.take({ ...join, scope: 'rare' }, from, at(1));
    leader.announce(1n, keys('often'), at(1));
    leader.announce(2n, keys('a'), at(1));
    leader.take({ kind: 'applied', epoch: 3, incarnation: 'x', position: 2n }, from, at(2));
    leader.hasShown(2n, at(2));
    leader.announce(3n, keys('often'), at(3));
    for (const ms of [500, 1_000, 1_500]) {
      leadership.confirmed(at(ms));
      const renew = { kind: 'renew', epoch: 3, incarnation: 'x', request: 1, applied: 2n } as const;
      expect(leader.take(renew, from, at(ms))?.kind).toBe('renewed');
    }
  });

  it('are admitted at what was announced, and a join that comes twice changes nothing', () => {
    const { leader } = openLeader();
    leader.announce(1n, keys('a'), at(1));
    expect(leader.take(join, from, at(1))).toMatchObject({ seq: 1, announced: 1n, watermark: 0n });
    leader.announce(2n, keys('a'), at(1));
    expect(leader.take(join, from, at(2))).toBeNull();
    expect(leader.mayShow(2n, at(2))).toBe(false);
  });

  // Bug: who hears of another's membership ends it, or reports in its name, and it answers what has changed since.
  it('are spoken for by nobody else', () => {
    const { leader } = openLeader();
    const renew = { kind: 'renew', epoch: 3, incarnation: 'x', request: 1, applied: 1n } as const;
    leader.take(join, from, at(1));
    leader.announce(1n, keys('a'), at(1));
    for (const message of [
      { kind: 'left', incarnation: 'x' },
      { kind: 'applied', epoch: 3, incarnation: 'x', position: 1n },
      renew,
      join,
    ] as const)
      expect(leader.take(message, 'of another', at(2))).toBeNull();
    expect([leader.membersCount, leader.mayShow(1n, at(2))]).toEqual([1, false]);
    expect(leader.take(renew, from, at(3))).toMatchObject({ kind: 'renewed' });
    expect(leader.mayShow(1n, at(3))).toBe(true);
  });

  it('get no answer from a leader that does not lead, is not open or hands over', () => {
    expect(openLeader().leader.take(join, from, at(600))).toBeNull();
    const unopened = new Leadership({ sentAt: at(0), answeredAt: at(0) }, false);
    expect(new Leader({ epoch: 3, leadership: unopened, visible: 0n, isFrequent }).take(join, from, at(1))).toBeNull();
    const { leader } = openLeader();
    leader.handOver();
    expect(leader.take(join, from, at(1))).toBeNull();
  });
});

it('has handed over when the last member has left', () => {
  const { leader } = openLeader();
  leader.take(join, from, at(1));
  expect(leader.hasHandedOver(at(1))).toBe(false);
  leader.handOver();
  expect(sent(leader)).toEqual([{ kind: 'leave', epoch: 3 }]);
  const renew = { kind: 'renew', epoch: 3, incarnation: 'x', request: 1, applied: 0n } as const;
  expect(leader.take(renew, from, at(2))).toBeNull();
  expect(leader.hasHandedOver(at(2))).toBe(false);
  leader.take({ kind: 'left', incarnation: 'x' }, from, at(3));
  expect(leader.hasHandedOver(at(3))).toBe(true);
});
