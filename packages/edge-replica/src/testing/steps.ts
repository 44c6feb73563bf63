import type { Members } from '../leader/members.ts';
import { forgetAfterMs, replicaLimits } from '../limits.ts';
import type { FeedMessage } from '../messages.ts';
import {
  type Bounds,
  changedBy,
  type Code,
  type Downward,
  leadershipOf,
  newLeader,
  reading,
  type Upward,
  objectAt,
  type World,
} from './world.ts';

/** One thing that may happen next. It changes the world it is given, and returns what it found wrong. */
export type Step = { what: string; take: (world: World) => string | undefined | void };

/** Everything that may happen next. */
export function stepsOf(world: World, bounds: Bounds, code: Code): Step[] {
  return [
    ...environmentSteps(world, bounds, code),
    ...world.leaders.flatMap((_, index) => leaderSteps(world, index, bounds)),
    ...world.members.flatMap((_, index) => memberSteps(world, index, bounds)),
    ...world.members.flatMap((_, index) => networkSteps(world, index, bounds, code)),
  ];
}

const environmentSteps = (world: World, bounds: Bounds, code: Code): Step[] => {
  const steps: Step[] = [];
  if (world.head < bounds.writes.length) steps.push({ what: 'a write is appended', take: (w) => void w.head++ });
  if (world.nowMs < bounds.ticks * world.tickMs)
    steps.push({
      what: 'time passes',
      take: (w) => {
        w.nowMs += w.tickMs;
        return heldUpTooLong(w);
      },
    });
  const newest = world.leaders.length;
  const last = world.leaders[newest - 1]!;
  if (!last.lost && world.takeovers < bounds.takeovers) {
    steps.push({
      what: `leader ${newest} loses the lock, leader ${newest + 1} takes it`,
      take: (w) => {
        w.takeovers += 1;
        succeed(w, bounds, code, false);
      },
    });
  }
  if (!last.lost && world.handovers < bounds.handovers) {
    steps.push({
      what: `leader ${newest} begins to hand over`,
      take: (w) => {
        w.handovers += 1;
        w.leaders[newest - 1]!.leader.handOver();
        publish(w, newest - 1, bounds);
      },
    });
  }
  if (!last.lost && world.handovers > 0 && last.leader.hasHandedOver(reading(world, 'leaders'))) {
    steps.push({ what: `leader ${newest} lets go of the lock`, take: (w) => succeed(w, bounds, code, true) });
  }
  return steps;
};

const succeed = (world: World, bounds: Bounds, code: Code, inOrder: boolean): void => {
  const old = world.leaders.at(-1)!;
  old.lost = true;
  if (inOrder) leadershipOf(old).end();
  // A leader that answers from its own memory begins far behind.
  const visible = bounds.rows === 'shared' ? world.rows : 0;
  world.leaders.push(newLeader(code, bounds, world.leaders.length + 1, reading(world, 'leaders'), inOrder, visible));
  for (const feeds of world.feeds) feeds.push([]);
};

/** Whoever the members are, and whatever they send: a leader waits until it forgets them, and renews no lease for longer than that. */
const heldUpTooLong = (world: World): string | undefined => {
  const now = reading(world, 'leaders');
  for (const [index, { leader, announced, waitingSinceMs }] of world.leaders.entries()) {
    if (waitingSinceMs === null || world.nowMs - waitingSinceMs < 2 * forgetAfterMs) continue;
    const { members } = leader as unknown as { members: Members };
    members.forget(now);
    if (!members.haveApplied('all', BigInt(announced)))
      return `leader ${index + 1} has waited since ${waitingSinceMs} ms`;
  }
  return undefined;
};

const leaderSteps = (world: World, index: number, bounds: Bounds): Step[] => {
  const steps: Step[] = [];
  const host = world.leaders[index]!;
  const now = reading(world, 'leaders');
  const name = `leader ${index + 1}`;
  const step = (what: string, take: (w: World, own: typeof host) => void): void => {
    steps.push({
      what: `${name} ${what}`,
      take: (w) => {
        take(w, w.leaders[index]!);
        publish(w, index, bounds);
      },
    });
  };
  if (!host.lost && host.checkedAtMs < world.nowMs) {
    step('finds that it holds the lock', (w, own) => {
      own.checkedAtMs = w.nowMs;
      leadershipOf(own).confirmed(reading(w, 'leaders'));
    });
  }
  if (!host.readHead) {
    step(`reads the end of the log: ${world.head}`, (w, own) => {
      leadershipOf(own).headWasRead(BigInt(w.head), reading(w, 'leaders'));
      own.readHead =
        leadershipOf(own).predecessorHasStopped(reading(w, 'leaders')) ||
        leadershipOf(own).mayOpen(BigInt(1e9), reading(w, 'leaders'));
    });
  }
  if (host.announced < world.head) {
    step(`announces ${host.announced + 1}`, (w, own) => {
      own.announced += 1;
      if (bounds.isDeaf === true) own.waitingSinceMs ??= w.nowMs;
      const changed = changedBy(bounds.writes[own.announced - 1]!);
      own.leader.announce(BigInt(own.announced), changed, reading(w, 'leaders'));
    });
  }
  const next = host.visible + 1;
  if (host.committing === null && next <= host.announced && host.leader.mayShow(BigInt(next), now)) {
    if (bounds.rows === 'shared') step(`sends the transaction of ${next}`, (_, own) => void (own.committing = next));
    else {
      step(`shows ${next}`, (w, own) => {
        own.visible = next;
        w.rows = Math.max(w.rows, next);
        own.leader.hasShown(BigInt(next), reading(w, 'leaders'));
      });
    }
  }
  // The transaction of a session that is gone fails, or was committed before another took the lock.
  if (host.committing !== null && !host.lost) {
    step(`commits ${host.committing}`, (w, own) => {
      own.visible = own.committing!;
      w.rows = own.visible;
      own.committing = null;
      own.leader.hasShown(BigInt(own.visible), reading(w, 'leaders'));
    });
  }
  if (bounds.drops > 0 || bounds.heartbeats === true) {
    step('sends a heartbeat', (w, own) => own.leader.tick(reading(w, 'leaders')));
  }
  return steps;
};

const memberSteps = (world: World, index: number, bounds: Bounds): Step[] => {
  const steps: Step[] = [];
  const host = world.members[index]!;
  // Where it could only ask more often than the bounds allow, it sleeps.
  const { state, frequentAt } = host.member as unknown as { state: { kind: string }; frequentAt: object | null };
  const mayJoin = host.incarnations < (bounds.joins[index] ?? 0);
  const mayRenew = host.renewals < (bounds.renewals[index] ?? 0);
  const wantsAnotherScope = frequentAt !== null && host.member.scope === 'rare';
  const mayAsk = state.kind === 'joined' && !(wantsAnotherScope && mayJoin) ? mayRenew : mayJoin;
  if (mayAsk) {
    steps.push({
      what: `member ${index} wakes`,
      take: (w) => {
        const own = w.members[index]!;
        const incarnation = `${index}.${own.incarnations + 1}`;
        const now = reading(w, 'members');
        own.member.tick(now, incarnation);
        send(w, index, bounds);
        // In a world without a feed, and with one join at the beginning.
        const isStuck =
          bounds.isDeaf === true && now.monotonicMs >= replicaLimits.silenceMs && own.member.isMember(now);
        return isStuck ? `member ${index} has heard nothing for ${now.monotonicMs} ms, and is a member` : undefined;
      },
    });
  }
  if (host.reads < (bounds.reads[index] ?? 0)) {
    steps.push({
      what: `a read at member ${index}`,
      take: (w) => {
        const own = w.members[index]!;
        own.reads += 1;
        const need = Math.max(objectAt(bounds, w.rows).value, w.shown);
        const found = own.member.lookup('a', reading(w, 'members'));
        send(w, index, bounds);
        if (found.kind === 'held') return answer(w, found.value, need, `member ${index} from memory`);
        own.readers.push({ question: found.question.id, need });
        if (found.kind === 'ask') w.upward[index]!.push({ kind: 'question', question: found.question });
        return;
      },
    });
  }
  return steps;
};

const networkSteps = (world: World, index: number, bounds: Bounds, code: Code): Step[] => [
  ...world.upward[index]!.flatMap((message, at) => upwardSteps(world, index, message, at, bounds, code)),
  ...world.downward[index]!.map(
    (message, at): Step => ({
      what: `member ${index} takes ${message.kind}`,
      take: (w) => {
        w.downward[index]!.splice(at, 1);
        return takeDownward(w, index, message, bounds);
      },
    }),
  ),
  ...world.feeds[index]!.flatMap((feed, leader) => feedSteps(world, index, leader, feed, bounds)),
];

const upwardSteps = (world: World, index: number, message: Upward, at: number, bounds: Bounds, code: Code): Step[] => {
  if (message.kind === 'question') {
    const answered = (who: string, position: number): Step => ({
      what: `${who} answers member ${index}: ${objectAt(bounds, position).value}`,
      take: (w) => {
        w.upward[index]!.splice(at, 1);
        w.downward[index]!.push({ kind: 'answer', question: message.question, ...objectAt(bounds, position) });
      },
    });
    if (bounds.rows === 'shared') return [answered('a service', world.rows)];
    return world.leaders.flatMap((host, leader) =>
      host.leader.isOpen(reading(world, 'leaders'))
        ? [answered(`leader ${leader + 1}`, code.answersWhatWasAnnounced === true ? host.announced : host.visible)]
        : [],
    );
  }
  const steps = world.leaders.flatMap((_, leader): Step[] => {
    // The others would ignore it.
    if ('epoch' in message && message.epoch !== leader + 1) return [];
    return [
      {
        what: `leader ${leader + 1} takes ${message.kind} ${message.incarnation}`,
        take: (w) => {
          w.upward[index]!.splice(at, 1);
          const reply = w.leaders[leader]!.leader.take(message, '', reading(w, 'leaders'));
          if (reply !== null) w.downward[index]!.push(reply);
          publish(w, leader, bounds);
        },
      },
    ];
  });
  if (message.kind === 'join' && world.repeats < bounds.repeats) {
    steps.push({
      what: `the join ${message.incarnation} is repeated`,
      take: (w) => {
        w.repeats += 1;
        w.upward[index]!.push(message);
      },
    });
  }
  return steps;
};

const feedSteps = (world: World, index: number, leader: number, feed: FeedMessage[], bounds: Bounds): Step[] => {
  const [message] = feed;
  if (message === undefined) return [];
  const steps: Step[] = [
    {
      what: `member ${index} takes ${message.kind} of leader ${leader + 1}`,
      take: (w) => {
        w.feeds[index]![leader]!.shift();
        w.members[index]!.member.takeFeed(message, reading(w, 'members'));
        send(w, index, bounds);
      },
    },
  ];
  if (world.drops < bounds.drops) {
    steps.push({
      what: `${message.kind} of leader ${leader + 1} to member ${index} is lost`,
      take: (w) => {
        w.drops += 1;
        w.feeds[index]![leader]!.shift();
      },
    });
  }
  return steps;
};

const takeDownward = (world: World, index: number, message: Downward, bounds: Bounds): string | undefined => {
  const own = world.members[index]!;
  if (message.kind === 'watermark') {
    own.member.takeFeed(message, reading(world, 'members'));
    send(world, index, bounds);
    return undefined;
  }
  if (message.kind !== 'answer') {
    own.member.takeReply(message, reading(world, 'members'));
    send(world, index, bounds);
    return undefined;
  }
  const { question, value, dependsOn } = message;
  own.member.answered(question, { value, dependsOn, bytes: 1 }, reading(world, 'members'));
  send(world, index, bounds);
  const served = own.readers.filter((reader) => reader.question === question.id);
  own.readers = own.readers.filter((reader) => reader.question !== question.id);
  for (const { need } of served) {
    const wrong = answer(world, value, need, `member ${index} by asking`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

const answer = (world: World, value: number, need: number, who: string): string | undefined => {
  if (value < need) return `${who} answered ${value}; ${need} was acknowledged or shown before it was asked`;
  world.shown = Math.max(world.shown, value);
  return undefined;
};

const publish = (world: World, index: number, bounds: Bounds): void => {
  for (const message of world.leaders[index]!.leader.feed.splice(0)) {
    for (const [at, { member }] of world.members.entries()) {
      if (message.kind === 'watermark') world.downward[at]!.push(message);
      // A member listens to the feed of its scope.
      else if (bounds.isDeaf === true) continue;
      else if (message.kind === 'leave' || message.scope === member.scope) world.feeds[at]![index]!.push(message);
    }
  }
};

/** Sends what a member wants to send, within the bounds of the world: more joins and renewals than those are lost. */
const send = (world: World, index: number, bounds: Bounds): void => {
  const own = world.members[index]!;
  for (const message of own.member.outbox.splice(0)) {
    if (message.kind === 'join') {
      own.incarnations += 1;
      if (own.incarnations > (bounds.joins[index] ?? 0)) continue;
    }
    if (message.kind === 'renew') {
      own.renewals += 1;
      if (own.renewals > (bounds.renewals[index] ?? 0)) continue;
    }
    world.upward[index]!.push(message);
  }
};
