import { hasPassed, isWithin, type Reading } from '../clock.ts';
import { predecessorLeadsMs, predecessorLeasesMs, replicaLimits } from '../limits.ts';
import type { Position } from '../messages.ts';

/**
 * Leading is a lease, too (rule 9). It lasts M from the sending of the last check, on the very session that took the lock, that found the
 * lock still held. After `end` it is over for good: who takes the lock again has a new epoch and a new leadership.
 *
 * Fields of this package are `protected`, not #private: the test of all interleavings copies and compares them.
 */
export class Leadership {
  protected checkedAt: Reading;
  protected ended = false;
  protected readonly tookLockAt: Reading;
  /** Nobody has led before, or the predecessor let go of the lock when it had no members any more. */
  protected readonly predecessorIsGone: boolean;
  /** Where the log ended when it was read after the predecessor had stopped leading. */
  protected head: Position | null = null;

  /** @param took when the statement that took the lock was sent, and when its answer came */
  constructor(took: { sentAt: Reading; answeredAt: Reading }, predecessorIsGone: boolean) {
    this.checkedAt = took.sentAt;
    this.tookLockAt = took.answeredAt;
    this.predecessorIsGone = predecessorIsGone;
  }

  /** The session held the lock when it answered a check that was sent at `sentAt`. */
  confirmed(sentAt: Reading): void {
    if (sentAt.monotonicMs > this.checkedAt.monotonicMs) this.checkedAt = sentAt;
  }

  end(): void {
    this.ended = true;
  }

  leads(now: Reading): boolean {
    return !this.ended && isWithin(replicaLimits.leadershipMs, this.checkedAt, now);
  }

  /** Rule 10a: the predecessor has stopped leading, noticed or not. */
  predecessorHasStopped(now: Reading): boolean {
    return this.predecessorIsGone || hasPassed(predecessorLeadsMs, this.tookLockAt, now);
  }

  /** Rule 10c: the leases that the predecessor granted until it stopped leading are over. */
  oldLeasesAreOver(now: Reading): boolean {
    return this.predecessorIsGone || hasPassed(predecessorLeasesMs, this.tookLockAt, now);
  }

  /** Rule 10b: the end of the log, read from its primary. A reading that was asked for before rule 10a was met tells nothing. */
  headWasRead(head: Position, askedAt: Reading): void {
    if (this.head === null && this.predecessorHasStopped(askedAt)) this.head = head;
  }

  /** Whether a leader that shows everything up to `visible` may admit members and answer (rule 10). */
  mayOpen(visible: Position, now: Reading): boolean {
    return (
      this.leads(now) &&
      this.predecessorHasStopped(now) &&
      this.head !== null &&
      visible >= this.head &&
      this.oldLeasesAreOver(now)
    );
  }
}
