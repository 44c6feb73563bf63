import { randomUUID } from 'node:crypto';
import { counter, histogram, observe, secondsSince } from '@agent-trust/metrics';
import type { NatsConnection, Subscription } from '@nats-io/nats-core';
import { readClocks } from '../clock.ts';
import { replicaLimits } from '../limits.ts';
import { createHeldObjects } from '../member/held-objects.ts';
import { Member } from '../member/member.ts';
import type { FeedMessage, IsFrequent, Position, Scope } from '../messages.ts';
import { decodeFeedMessage, decodeLeaderReply, encodeMessage, replicaSubjects } from '../wire.ts';
import { createWriters, NotVisibleError } from './writers.ts';

export { NotVisibleError };

export type ReplicaLogger = { warn(fields: object, message: string): void };

/**
 * Answers of the services that this process may give again, and that are never stale: see docs/consistency.md. This folder carries messages
 * over NATS and reads clocks; the rules in member/ and leader/ do neither, and import nothing from here.
 */
export type Replica = {
  /** The value of a key, from memory or by `ask`. What `ask` throws is thrown to all who share its answer. */
  read<Value extends Holdable>(key: string, ask: () => Promise<Answer<Value>>): Promise<Value>;
  /** The value of a key if it is in memory. All that is read without waiting in between is of one moment. */
  held<Value extends Holdable>(key: string): Value | undefined;
  /** Resolves when everything up to a position is visible to all readers, in every process. Needs no membership. @throws NotVisibleError */
  untilVisible(position: Position, timeoutMs: number): Promise<void>;
  /** Whether this process answers from memory at present. */
  isMember(): boolean;
  close(): void;
};

/** What can be held: plain data. A key always holds values of one type. */
export type Holdable = object | string | null;

export type Answer<Value> = {
  value: Value;
  /** Everything whose change alters the answer, as the leader announces it, besides the key itself; null if it may not be kept. */
  dependsOn: readonly string[] | null;
};

export type ReplicaOptions = {
  /** The user of the bus. */
  service: string;
  /** Memory for answers; 0: none is kept, and each read asks. */
  bytesMax: number;
  isFrequent: IsFrequent;
  /** Whether writers of this process wait. Without it, what is visible is heard of by heartbeats alone. */
  hasWriters: boolean;
};

const reads = counter('registry.replica.reads');
const hits = reads.with({ 'registry.result': 'hit' });
const misses = reads.with({ 'registry.result': 'miss' });
const waits = histogram('registry.read_model.wait.duration');

export function startReplica(connection: NatsConnection, options: ReplicaOptions, logger: ReplicaLogger): Replica {
  const writers = createWriters();
  const start = options.bytesMax > 0 ? startHolding : followed;
  const holding = start(connection, options, logger, writers.takeFeed);
  const stopObserving = observe((report) => report('registry.replica.member', holding.isMember() ? 1 : 0));
  return {
    ...holding,
    untilVisible: measureWait(writers.untilVisible),
    close: () => {
      stopObserving();
      holding.close();
      writers.close();
    },
  };
}

const measureWait =
  (untilVisible: Replica['untilVisible']): Replica['untilVisible'] =>
  async (position, timeoutMs) => {
    const startedAt = performance.now();
    const end = (reason?: string): void => waits.with({ 'error.type': reason }).record(secondsSince(startedAt));
    try {
      await untilVisible(position, timeoutMs);
      end();
    } catch (error) {
      end(error instanceof NotVisibleError ? error.reason : 'error');
      throw error;
    }
  };

type Holding = Omit<Replica, 'untilVisible'>;

/** Listens to the feed, and holds nothing. */
const followed = (
  connection: NatsConnection,
  { hasWriters }: ReplicaOptions,
  logger: ReplicaLogger,
  heard: (message: FeedMessage) => void,
): Holding => {
  const subjects = hasWriters ? [replicaSubjects.feed('rare'), replicaSubjects.watermark] : [];
  const subscriptions = subjects.map((subject) =>
    connection.subscribe(subject, {
      callback: (err, message) => {
        try {
          if (err !== null) throw err;
          heard(decodeFeedMessage(message.string()));
        } catch (error) {
          logger.warn({ err: error }, 'a message of the leader cannot be read');
        }
      },
    }),
  );
  return {
    read: async (_, ask) => {
      misses.add();
      return (await ask()).value;
    },
    held: () => undefined,
    isMember: () => false,
    close: () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
};

const startHolding = (
  connection: NatsConnection,
  { service, bytesMax, isFrequent, hasWriters }: ReplicaOptions,
  logger: ReplicaLogger,
  heard: (message: FeedMessage) => void,
): Holding => {
  const member = new Member<Holdable>(createHeldObjects(bytesMax), isFrequent);
  const answers = replicaSubjects.answersTo(service, randomUUID());
  /** Questions on their way, by their numbers. */
  const asked = new Map<number, Promise<Holdable>>();

  const takeFeed = (text: string): void => {
    const message = decodeFeedMessage(text);
    member.takeFeed(message, readClocks());
    heard(message);
  };
  let membership: Subscription[] = [];
  const endMembership = (): void => {
    for (const subscription of membership) subscription.unsubscribe();
  };
  /**
   * Listens to a feed and to the answers of the leader: before the join is sent, so that nothing is missed, and anew, as the subscriptions
   * before may have ended unnoticed.
   */
  const listen = (scope: Scope): void => {
    endMembership();
    membership = [
      receive(replicaSubjects.feed(scope), takeFeed),
      receive(answers, (text) => member.takeReply(decodeLeaderReply(text), readClocks())),
    ];
  };
  const send = (): void => {
    if (connection.isClosed()) return;
    for (const message of member.outbox.splice(0)) {
      if (message.kind === 'join') listen(message.scope);
      connection.publish(replicaSubjects.leader(service), encodeMessage(message), { reply: answers });
    }
  };
  const receive = (subject: string, take: (text: string) => void) =>
    connection.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (error !== null) throw error;
          // No instance listens: what is asked of a leader gets no answer.
          if (message.headers?.code === 503) return;
          take(message.string());
        } catch (err) {
          // What it cannot read may be a change.
          logger.warn({ err, subject }, 'answering from memory ends: a message cannot be read');
          member.giveUp(readClocks());
        }
        send();
      },
    });
  const watermarks = hasWriters ? receive(replicaSubjects.watermark, takeFeed) : null;
  const timer = setInterval(() => {
    member.tick(readClocks(), randomUUID());
    send();
  }, replicaLimits.tickMs);

  return {
    read: <Value extends Holdable>(key: string, ask: () => Promise<Answer<Value>>): Promise<Value> => {
      const found = member.lookup(key, readClocks());
      if (found.kind === 'held') {
        hits.add();
        return Promise.resolve(found.value as Value);
      }
      misses.add();
      const { question } = found;
      const shared = asked.get(question.id);
      if (shared !== undefined) return shared as Promise<Value>;
      const answer = ask().then(
        ({ value, dependsOn }) => {
          const kept = dependsOn && { value, dependsOn, bytes: bytesOf(key, value) };
          member.answered(question, kept, readClocks());
          return value;
        },
        (error: unknown) => {
          member.failed(question);
          throw error;
        },
      );
      const forget = (): void => void asked.delete(question.id);
      asked.set(question.id, answer);
      answer.then(forget, forget);
      return answer;
    },
    held: <Value extends Holdable>(key: string) => {
      const value = member.heldValue(key, readClocks()) as Value | undefined;
      // Whoever finds nothing here reads it, which counts as a miss.
      if (value !== undefined) hits.add();
      return value;
    },
    isMember: () => member.isMember(readClocks()),
    close: () => {
      clearInterval(timer);
      member.giveUp(readClocks());
      send();
      endMembership();
      watermarks?.unsubscribe();
    },
  };
};

const bytesOf = (key: string, value: Holdable): number =>
  textBytes(key) + (typeof value === 'string' ? textBytes(value) : 2 * textBytes(JSON.stringify(value)));

/** A character takes a byte if all are of Latin-1, which is tested here only for ASCII, else two; objects take about twice their JSON. */
const textBytes = (text: string): number => (Buffer.byteLength(text) === text.length ? 1 : 2) * text.length;
