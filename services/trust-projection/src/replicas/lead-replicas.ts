import { setTimeout as delay } from 'node:timers/promises';
import { isFrequentKey } from '@agent-trust/contracts';
import {
  decodeMemberMessage,
  encodeMessage,
  Leader,
  Leadership,
  type MemberMessage,
  type Position,
  type Reading,
  readClocks,
  replicaLimits,
  replicaSubjects,
  senderOf,
  subjectsOf,
} from '@agent-trust/edge-replica';
import type { EventLog } from '@agent-trust/event-log';
import type { Rpc } from '@agent-trust/nats-rpc';
import { type CommitGate, endSession, type LeadingGate, LockWantedError } from '@agent-trust/projections';
import type { Logger } from '@agent-trust/service-kit';
import type { Client } from 'pg';
import type { ProjectedRegistryEvent } from '../projector/read-models/registry-event.ts';
import type { VisibleState } from '../shared/visible-state.ts';
import { changedBy } from './changed-keys.ts';
import { beginTerm, checkLock, rememberMembers } from './leadership-rows.ts';
import { leaderLimits } from './limits.ts';

type Parts = { connection: Rpc['connection']; log: Pick<EventLog, 'headPosition'>; logger: Logger };

const beforeAll: Position = -1n;

/**
 * Lets gateways that answer from memory hear of each batch before it is committed. The instance that leads answers from memory, too, by what
 * `visibleState` names.
 */
export function replicaGate(parts: Parts): CommitGate<ProjectedRegistryEvent> & { visibleState: VisibleState } {
  let leading: LeadingHost | null = null;
  return {
    visibleState: () => leading?.visibleState() ?? null,
    lead: async (client, position) => {
      const sentAt = readClocks();
      const { epoch, hadMembers, isWanted } = await beginTerm(client);
      if (isWanted) throw new LockWantedError('the read models');
      const leadership = new Leadership({ sentAt, answeredAt: readClocks() }, !hadMembers);
      const leader = new Leader({ epoch, leadership, visible: position ?? beforeAll, isFrequent: isFrequentKey });
      return (leading = new LeadingHost(parts, client, leader, leadership, { epoch, hadMembers }));
    },
  };
}

/** Carries the messages of a leader, and what its session finds, to it and from it. */
class LeadingHost implements LeadingGate<ProjectedRegistryEvent> {
  readonly #parts: Parts;
  readonly #client: Client;
  readonly #leader: Leader;
  readonly #leadership: Leadership;
  readonly #yielding = new AbortController();
  readonly #epoch: number;
  readonly #timer: NodeJS.Timeout;
  readonly #subscription: ReturnType<Rpc['connection']['subscribe']>;
  /** When the last statement was sent that proved the lock, or should. */
  #provedAtMs = Number.NEGATIVE_INFINITY;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #commitSentAt: Reading | null = null;
  /** Whether a batch may be visible already that is not known to be. */
  #isCommitting = false;
  /** When the check was sent that has no answer yet. */
  #checkSentAtMs: number | null = null;
  #isReadingHead = false;
  #headIsRead = false;
  /** Whether the database knows that there may be members. */
  #members: 'none' | 'writing' | 'known';
  #waiting: { position: Position; resolve: () => void; reject: (error: Error) => void } | null = null;
  #isOver = false;

  constructor(
    parts: Parts,
    client: Client,
    leader: Leader,
    leadership: Leadership,
    { epoch, hadMembers }: { epoch: number; hadMembers: boolean },
  ) {
    this.#parts = parts;
    this.#client = client;
    this.#leader = leader;
    this.#leadership = leadership;
    this.#epoch = epoch;
    this.#members = hadMembers ? 'known' : 'none';
    this.#subscription = parts.connection.subscribe(replicaSubjects.toLeader, {
      callback: (error, message) => {
        if (error === null) this.#take(message.string(), senderOf(message.subject, message.reply));
      },
    });
    this.#timer = setInterval(() => this.#tick(), leaderLimits.tickMs);
    this.#tick();
  }

  get yielding(): AbortSignal {
    return this.#yielding.signal;
  }

  /**
   * Known as long as a successor would have to wait before it commits. That it waits for this lease is certain only while the database says
   * that there may be members.
   */
  visibleState(): string | null {
    if (this.#isOver || this.#isCommitting || this.#members !== 'known') return null;
    return this.#leader.isOpen(readClocks()) ? `${this.#epoch}:${this.#leader.watermark}` : null;
  }

  announce(batch: Parameters<LeadingGate<ProjectedRegistryEvent>['announce']>[0]): void {
    this.#leader.announce(batch.position, changedBy(batch), readClocks());
    this.#publish();
  }

  mayCommit(position: bigint): Promise<void> {
    if (this.#isOver) return Promise.reject(new Error('this instance leads the replicas no more'));
    const now = readClocks();
    if (this.#leader.mayShow(position, now)) {
      this.#expectCommit(now);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.#waiting = { position, resolve, reject };
    });
  }

  hasCommitted(position: bigint): void {
    // A commit on the session that holds the lock is as good as a check.
    if (this.#commitSentAt !== null) this.#proved(this.#commitSentAt);
    this.#leader.hasShown(position, readClocks());
    this.#isCommitting = false;
    this.#publish();
  }

  async end(inOrder: boolean): Promise<void> {
    if (inOrder && this.#members !== 'none') await this.#handOver();
    this.#isOver = true;
    this.#leadership.end();
    clearInterval(this.#timer);
    this.#subscription.unsubscribe();
    this.#waiting?.reject(new Error('this instance leads the replicas no more'));
    this.#waiting = null;
  }

  /** Waits until no member answers from memory, so that a successor need not. */
  async #handOver(): Promise<void> {
    this.#leader.handOver();
    this.#publish();
    const from = performance.now();
    while (performance.now() - from < leaderLimits.handoverWaitMs) {
      if (this.#leader.hasHandedOver(readClocks())) {
        await rememberMembers(this.#client, false).catch((err: unknown) =>
          this.#parts.logger.info({ err }, 'a successor will wait for replicas that have left'),
        );
        return;
      }
      await delay(leaderLimits.lockPollMs);
    }
  }

  #expectCommit(sentAt: Reading): void {
    this.#commitSentAt = sentAt;
    this.#isCommitting = true;
  }

  #take(text: string, from: string | null): void {
    if (from === null) return;
    let message: MemberMessage;
    try {
      message = decodeMemberMessage(text);
    } catch (err) {
      this.#parts.logger.warn({ err }, 'a message of a replica cannot be read');
      return;
    }
    // A successor must know of members before there are any.
    if (message.kind === 'join' && this.#members !== 'known') return this.#expectMembers();
    const answer = this.#leader.take(message, from, readClocks());
    if (answer !== null) this.#send(from, encodeMessage(answer));
    this.#review();
  }

  /** The join that caused it is not answered; the member asks again. */
  #expectMembers(): void {
    if (this.#members !== 'none' || !this.#leader.isOpen(readClocks())) return;
    this.#members = 'writing';
    rememberMembers(this.#client, true).then(
      () => void (this.#members = 'known'),
      () => void (this.#members = 'none'),
    );
  }

  #tick(): void {
    const now = readClocks();
    this.#leader.tick(now);
    this.#publish();
    this.#review();
    const isDue =
      now.monotonicMs - this.#provedAtMs >= replicaLimits.checkLockEveryMs ||
      now.monotonicMs - this.#askedAtMs >= leaderLimits.askWhetherWantedEveryMs;
    if (isDue) this.#check();
    // Its peer is gone without a word, and the system would wait for a quarter of an hour.
    if (this.#checkSentAtMs !== null && now.monotonicMs - this.#checkSentAtMs > leaderLimits.sessionSilentMsMax) {
      endSession(this.#client, new Error('the session that leads the replicas was silent for too long'));
    }
    if (!this.#headIsRead && this.#leadership.predecessorHasStopped(now)) this.#readHead();
  }

  #check(): void {
    if (this.#checkSentAtMs !== null) return;
    const sentAt = readClocks();
    this.#checkSentAtMs = sentAt.monotonicMs;
    this.#provedAtMs = sentAt.monotonicMs;
    this.#askedAtMs = sentAt.monotonicMs;
    checkLock(this.#client).then(
      ({ isWanted }) => {
        this.#checkSentAtMs = null;
        this.#proved(sentAt);
        if (isWanted) this.#yielding.abort();
      },
      // The session is gone, and the runner notices.
      () => void (this.#checkSentAtMs = null),
    );
  }

  #proved(sentAt: Reading): void {
    this.#provedAtMs = Math.max(this.#provedAtMs, sentAt.monotonicMs);
    this.#leadership.confirmed(sentAt);
  }

  #readHead(): void {
    if (this.#isReadingHead) return;
    this.#isReadingHead = true;
    const askedAt = readClocks();
    this.#parts.log.headPosition().then(
      (head) => {
        this.#isReadingHead = false;
        this.#headIsRead = true;
        this.#leadership.headWasRead(head ?? beforeAll, askedAt);
      },
      () => void (this.#isReadingHead = false),
    );
  }

  #review(): void {
    const waiting = this.#waiting;
    const now = readClocks();
    if (waiting === null || !this.#leader.mayShow(waiting.position, now)) return;
    this.#waiting = null;
    this.#expectCommit(now);
    waiting.resolve();
  }

  #publish(): void {
    for (const message of this.#leader.feed.splice(0)) {
      const text = encodeMessage(message);
      for (const subject of subjectsOf(message)) this.#send(subject, text);
    }
  }

  #send(subject: string, text: string): void {
    try {
      this.#parts.connection.publish(subject, text);
    } catch (err) {
      // The connection is closed: members hear nothing, and their leases end.
      this.#parts.logger.info({ err }, 'a message to replicas was not sent');
    }
  }
}
