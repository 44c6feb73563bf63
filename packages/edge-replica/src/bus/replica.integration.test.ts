/**
 * Bugs: a process whose bus stalls answers from memory what has changed since; a change becomes visible before every process has dropped what it
 * alters; nothing is ever answered from memory.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createTestBus, faultProxy, waitFor } from '@agent-trust/test-kit';
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { afterEach, expect, it } from 'vitest';
import { readClocks } from '../clock.ts';
import { Leader } from '../leader/leader.ts';
import { Leadership } from '../leader/leadership.ts';
import { replicaLimits } from '../limits.ts';
import { decodeMemberMessage, encodeMessage, replicaSubjects, senderOf, subjectsOf } from '../wire.ts';
import { type Replica, startReplica } from './replica.ts';

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Who looks every millisecond and is later than this was kept from running. */
const pauseMsMin = 25;
/** A change that waits for the lease of a member that renews it waits at least this long. */
const heldUpMsMin = replicaLimits.leaseMs - replicaLimits.renewEveryMs;

/** A key that changes often begins like this. */
const isFrequent = (key: string): boolean => key.startsWith('often');

const connected = async (url: string): Promise<NatsConnection> => {
  const { hostname, port, username, password } = new URL(url);
  const connection = await connect({ servers: `${hostname}:${port}`, user: username, pass: password });
  stops.push(() => connection.close());
  return connection;
};

/** A leader with one row, `a`, whose value is the position of its last change; what it depends on is what changes. */
const startLeader = async (url: string, changing = 'd') => {
  const connection = await connected(url);
  const at = readClocks();
  const leadership = new Leadership({ sentAt: at, answeredAt: at }, true);
  leadership.headWasRead(0n, at);
  const leader = new Leader({ epoch: 1, leadership, visible: 0n, isFrequent });
  let visible = 0n;
  const publish = (): void => {
    for (const message of leader.feed.splice(0))
      for (const subject of subjectsOf(message)) connection.publish(subject, encodeMessage(message));
  };
  connection.subscribe(replicaSubjects.toLeader, {
    callback: (_, message) => {
      const from = senderOf(message.subject, message.reply);
      if (from === null) return;
      const answer = leader.take(decodeMemberMessage(message.string()), from, readClocks());
      if (answer !== null) connection.publish(from, encodeMessage(answer));
    },
  });
  const timer = setInterval(() => {
    leadership.confirmed(readClocks());
    leader.tick(readClocks());
    publish();
  }, 20);
  stops.push(() => clearInterval(timer));
  return {
    visible: () => visible,
    announce: (position: bigint): void => {
      leader.announce(position, { keys: [changing], everything: false }, readClocks());
      publish();
    },
    /** @returns how many milliseconds it had to wait; those in which this process did not run, with all who take part, do not count */
    commit: async (position: bigint): Promise<number> => {
      let waitedMs = 0;
      let lookedAt = performance.now();
      const mayShow = (): boolean => {
        const sinceMs = performance.now() - lookedAt;
        lookedAt += sinceMs;
        if (sinceMs < pauseMsMin) waitedMs += sinceMs;
        return leader.mayShow(position, readClocks());
      };
      await waitFor(mayShow, { intervalMs: 1 });
      visible = position;
      leader.hasShown(position, readClocks());
      publish();
      return waitedMs;
    },
  };
};

const silent = { warn: () => undefined };
const member = async (url: string): Promise<Replica> => {
  const replica = startReplica(
    await connected(url),
    { service: 'gateway', bytesMax: 1_000_000, isFrequent, hasWriters: true },
    silent,
  );
  stops.push(() => replica.close());
  await waitFor(() => replica.isMember());
  return replica;
};

it('answers from memory until a change, which is visible to nobody before every process has dropped what it alters', async () => {
  const { url } = createTestBus();
  const leader = await startLeader(url);
  const replicas = [await member(url), await member(url)];
  let asked = 0;
  const read = (replica: Replica) =>
    replica.read('a', () => {
      asked += 1;
      return Promise.resolve({ value: { value: Number(leader.visible()) }, dependsOn: ['d'] });
    });
  for (let position = 1n; position <= 50n; position += 1n) {
    const before = asked;
    for (const replica of replicas) expect(await read(replica)).toEqual({ value: Number(position) - 1 });
    for (const replica of replicas) expect(await read(replica)).toEqual({ value: Number(position) - 1 });
    expect(asked - before).toBeLessThanOrEqual(4);
    leader.announce(position);
    await leader.commit(position);
    for (const replica of replicas) expect(await read(replica)).toEqual({ value: Number(position) });
  }
  for (const replica of replicas) expect([undefined, { value: 50 }]).toContainEqual(replica.held('a'));
  // Between the commit and the watermark nothing is kept.
  expect(asked).toBeLessThan(50 * 6);
});

it('holds a change up while a process is cut off, once and for less than a second, and shows nothing old afterwards', async () => {
  const { url } = createTestBus();
  const leader = await startLeader(url);
  const proxy = await faultProxy(url);
  stops.push(() => proxy.close());
  const [cutOff, other] = [await member(proxy.url), await member(url)];
  const read = (replica: Replica) =>
    replica.read('a', () => Promise.resolve({ value: { value: Number(leader.visible()) }, dependsOn: ['d'] }));
  expect([await read(cutOff), await read(other)]).toEqual([{ value: 0 }, { value: 0 }]);
  proxy.stall();
  leader.announce(1n);
  const shown: unknown[] = [];
  const committed = leader.commit(1n);
  // Until then the old value is right everywhere.
  while (leader.visible() === 0n) {
    shown.push(await read(cutOff), await read(other));
    await new Promise(setImmediate);
  }
  const heldUpMs = await committed;
  expect(new Set(shown.map((one) => (one as { value: number }).value))).toEqual(new Set([0]));
  expect(heldUpMs).toBeLessThan(1_000);
  expect([await read(cutOff), await read(other)]).toEqual([{ value: 1 }, { value: 1 }]);
  expect(cutOff.isMember()).toBe(false);
  leader.announce(2n);
  expect(await leader.commit(2n)).toBeLessThan(heldUpMsMin);
  proxy.resume();
  await waitFor(() => cutOff.isMember());
  expect(await read(cutOff)).toEqual({ value: 2 });
});

it.each([
  ['the feed', 'replica.feed.'],
  ['answers of the leader', 'replica.member.'],
])(
  'holds a change up once at most when its subscription to %s has ended by itself, and is a member again',
  async (_what, prefix) => {
    const { url } = createTestBus();
    const leader = await startLeader(url);
    const connection = await connected(url);
    const subscribe = connection.subscribe.bind(connection);
    const subscriptions: Subscription[] = [];
    connection.subscribe = (subject, options) => {
      const subscription = subscribe(subject, options);
      if (subject.startsWith(prefix)) subscriptions.push(subscription);
      return subscription;
    };
    const replica = startReplica(
      connection,
      { service: 'gateway', bytesMax: 1_000_000, isFrequent, hasWriters: true },
      silent,
    );
    stops.push(() => replica.close());
    await waitFor(() => replica.isMember());
    // It has heard a heartbeat.
    await delay(2.5 * replicaLimits.heartbeatEveryMs);
    for (const one of subscriptions.splice(0)) one.unsubscribe();
    leader.announce(1n);
    expect(await leader.commit(1n)).toBeLessThan(1_000);
    await waitFor(() => subscriptions.length > 0 && replica.isMember());
    leader.announce(2n);
    expect(await leader.commit(2n)).toBeLessThan(heldUpMsMin);
    // A machine that pauses may cost it a membership; one that hears nothing would lose it every time.
    await waitFor(async () => {
      const joins = subscriptions.length;
      await delay(replicaLimits.silenceMs + 2 * replicaLimits.renewEveryMs);
      return subscriptions.length === joins && replica.isMember();
    });
  },
);

it('covers changes of a frequent key when an answer depends on one, and is neither told of them nor waited for before', async () => {
  const { url } = createTestBus();
  const leader = await startLeader(url, 'often d');
  const proxy = await faultProxy(url);
  stops.push(() => proxy.close());
  const [reader, other] = [await member(url), await member(proxy.url)];
  proxy.stall();
  leader.announce(1n);
  expect(await leader.commit(1n)).toBeLessThan(heldUpMsMin);
  proxy.resume();
  let asked = 0;
  const read = () =>
    reader.read('a', () => {
      asked += 1;
      return Promise.resolve({ value: { value: Number(leader.visible()) }, dependsOn: ['often d'] });
    });
  await waitFor(async () => {
    const before = asked;
    expect(await read()).toEqual({ value: 1 });
    return asked === before;
  });
  leader.announce(2n);
  await leader.commit(2n);
  expect(await read()).toEqual({ value: 2 });
  expect(other.isMember()).toBe(true);
});

it.each([
  ['that answers from memory', 1_000_000],
  ['that holds nothing', 0],
])('lets a writer of a process %s wait until its write is visible', async (_what, bytesMax) => {
  const { url } = createTestBus();
  const leader = await startLeader(url);
  const replica = startReplica(
    await connected(url),
    { service: 'gateway', bytesMax, isFrequent, hasWriters: true },
    silent,
  );
  stops.push(() => replica.close());
  if (bytesMax > 0) await waitFor(() => replica.isMember());
  expect(replica.isMember()).toBe(bytesMax > 0);
  const waiting = replica.untilVisible(1n, 5_000).then(() => leader.visible());
  leader.announce(1n);
  await expect(replica.untilVisible(1n, 150)).rejects.toMatchObject({ reason: 'timeout' });
  await leader.commit(1n);
  expect(await waiting).toBe(1n);
  await replica.untilVisible(1n, 0);
});

it('tells a writer by the next heartbeat what it has missed', async () => {
  const { url } = createTestBus();
  const leader = await startLeader(url);
  const proxy = await faultProxy(url);
  stops.push(() => proxy.close());
  const replica = startReplica(
    await connected(proxy.url),
    { service: 'gateway', bytesMax: 0, isFrequent, hasWriters: true },
    silent,
  );
  stops.push(() => replica.close());
  await leader.commit(1n);
  await replica.untilVisible(1n, 5_000);
  proxy.cut();
  const waiting = replica.untilVisible(2n, 10_000);
  await leader.commit(2n);
  await expect(waiting).resolves.toBeUndefined();
});
