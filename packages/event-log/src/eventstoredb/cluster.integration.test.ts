import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newEvents } from '../contract-suite/subject.ts';
import type { EventLog, RecordedEvent, Subscription } from '../port.ts';
import { openEventStoreDbEventLog } from './event-log.ts';
import { type Cluster, startCluster } from './test-server/cluster.ts';

// Bugs: after a change of leader, writes were refused or slow for many seconds more than the election took. The client went back to the node that
// others still named in their gossip, waited longer each time, and for a silent node until its own deadline. Method: three nodes in processes of
// their own, which elect; the leader is killed, told to stop, or paused, while writers, a reader and a subscriber work.

/** Three nodes and their client share the processor with other tests. */
const timeoutMs = 120_000;

let cluster: Cluster;
let log: EventLog;

beforeEach(async () => {
  cluster = await startCluster();
  log = openEventStoreDbEventLog(cluster.url);
});
afterEach(async () => {
  await log.close();
  await cluster.close();
});

/** Writers and a reader that go on until they are stopped, and what they met. */
const startLoad = () => {
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  let isRunning = true;
  // A test that fails leaves no writers behind.
  onTestFinished(() => {
    isRunning = false;
  });
  const until = async (work: () => Promise<void>): Promise<void> => {
    while (isRunning) {
      await work().catch(async (error: unknown) => {
        refused.push(error);
        await new Promise(setImmediate);
      });
    }
  };
  const writer = (stream: string): Promise<void> => {
    let revision: bigint | 'no_stream' = 'no_stream';
    return until(async () => {
      const events = newEvents(1);
      const written = await log.append(stream, events, { expectedRevision: revision });
      revision = written.revision;
      acknowledged.push(...events.map(({ eventId }) => eventId));
    });
  };
  const reader = until(async () => void (await log.readStream('load-0', { countMax: 1, direction: 'backwards' })));
  const all = [...Array.from({ length: 4 }, (_, n) => writer(`load-${n}`)), reader];
  return {
    acknowledged,
    refused,
    /** Resolves when as many more writes as that have been acknowledged. */
    goesOn: (more: number) => {
      const enough = acknowledged.length + more;
      return expect.poll(() => acknowledged.length, { timeout: 40_000 }).toBeGreaterThan(enough);
    },
    stop: async () => {
      isRunning = false;
      await Promise.all(all);
    },
  };
};

const startSubscriber = () => {
  const subscription: Subscription = log.subscribeToAll({ after: null });
  const seen: RecordedEvent[] = [];
  const ended = (async () => {
    for await (const batch of subscription) seen.push(...batch);
  })();
  return {
    seen,
    stop: async () => {
      await subscription.close();
      await ended;
    },
  };
};

/** Nothing lost, nothing doubled, in the log and in what a subscriber saw. */
const expectWhole = async (acknowledged: string[], seen: RecordedEvent[]): Promise<void> => {
  const events = await log.readAll({ after: null, countMax: 100_000 });
  expect(events.map(({ eventId }) => eventId).toSorted()).toEqual(acknowledged.toSorted());
  await expect.poll(() => seen.length).toBe(events.length);
  expect(seen).toEqual(events);
};

describe('a cluster', () => {
  test('is found from any of its nodes, and written at its leader', async () => {
    const leader = await cluster.leader();
    for (const seed of cluster.nodes) {
      const found = openEventStoreDbEventLog(`esdb://127.0.0.1:${seed.port},127.0.0.1:1?tls=false&gossipTimeout=1`);
      await found.append(`from-${seed.port}`, newEvents(1), { expectedRevision: 'no_stream' });
      await found.close();
    }
    expect((await leader.ask('calls')).append).toBe(3);
    expect(await leader.ask('events')).toHaveLength(3);
  });

  test('that is given as one node is followed to its leader', async () => {
    const leader = await cluster.leader();
    const follower = cluster.nodes.find((node) => node !== leader);
    const found = openEventStoreDbEventLog(`esdb://127.0.0.1:${follower?.port ?? 0}?tls=false`);
    await found.append('s', newEvents(1), { expectedRevision: 'no_stream' });
    expect(await found.readStream('s')).toHaveLength(1);
    await found.close();
  });

  test.each([
    ['is killed', 'SIGKILL'],
    ['is told to stop', 'SIGTERM'],
    ['is paused', 'SIGSTOP'],
  ] as const)(
    'whose leader %s refuses no write, and takes them again when it has elected',
    async (_, signal) => {
      const load = startLoad();
      const subscriber = startSubscriber();
      await load.goesOn(20);
      const former = await cluster.leader();
      const stopped = former.signal(signal);
      await expect.poll(async () => (await cluster.leader()).port, { timeout: 40_000 }).not.toBe(former.port);
      // Also for a process that begins now, and for one that has not noticed yet.
      const late = openEventStoreDbEventLog(cluster.url);
      const write = (on: EventLog) => on.append('after', newEvents(1), { expectedRevision: 'any', deadlineMs: 3_000 });
      const [one, other] = await Promise.all([write(log), write(late)]);
      expect(one.revision + other.revision).toBe(1n);
      await load.goesOn(20);
      if (signal === 'SIGSTOP') await former.signal('SIGCONT');
      await load.goesOn(20);
      await stopped;
      await load.stop();
      expect(load.refused).toEqual([]);
      const more = (await log.readStream('after')).map(({ eventId }) => eventId);
      await expectWhole([...load.acknowledged, ...more], subscriber.seen);
      await subscriber.stop();
      await late.close();
    },
    timeoutMs,
  );

  test(
    'that is restarted node by node refuses nothing',
    async () => {
      const load = startLoad();
      const subscriber = startSubscriber();
      await load.goesOn(20);
      for (const node of cluster.nodes.slice()) {
        await node.signal('SIGTERM');
        await cluster.restart(node);
        await load.goesOn(20);
      }
      await load.stop();
      expect(load.refused).toEqual([]);
      await expectWhole(load.acknowledged, subscriber.seen);
      await subscriber.stop();
    },
    timeoutMs,
  );
});
