import type { PairEvidence } from '../v1/incremental/evidence.ts';
import { ExpiryQueue } from './expiry-queue.ts';

/** Superseded entries of an expiry queue before it is rebuilt, beside one for each pair. */
const QUEUE_SLACK = 64;

/** The pairs of one piece of evidence, and in which of them reviews may stop counting. */
export class PairStore {
  private readonly pairs = new Map<string, PairEvidence>();
  private readonly expiries = new ExpiryQueue();

  constructor(pairs: Iterable<PairEvidence> = []) {
    this.keep([...pairs], []);
  }

  get(reviewer: string): PairEvidence | null {
    return this.pairs.get(reviewer) ?? null;
  }

  all(): PairEvidence[] {
    return [...this.pairs.values()];
  }

  /** The pairs of other reviewers in which some review may have stopped counting by `now`. */
  takeExpired(now: number, reviewer: string): PairEvidence[] {
    const expired = new Set<PairEvidence>();
    for (let due = this.expiries.popDue(now); due !== undefined; due = this.expiries.popDue(now)) {
      const pair = this.pairs.get(due.key);
      // An entry with another time is superseded; the pair's current entry is still in the queue.
      const isCurrent = pair !== undefined && pair.expiresAt === due.at;
      if (isCurrent && due.key !== reviewer) expired.add(pair);
    }
    return [...expired];
  }

  keep(changed: readonly PairEvidence[], removed: readonly string[]): void {
    for (const reviewer of removed) this.pairs.delete(reviewer);
    for (const pair of changed) {
      this.pairs.set(pair.reviewer, pair);
      this.expiries.push({ at: pair.expiresAt, key: pair.reviewer });
    }
    if (this.expiries.size > 2 * this.pairs.size + QUEUE_SLACK) {
      this.expiries.reset(this.all().map(({ expiresAt, reviewer }) => ({ at: expiresAt, key: reviewer })));
    }
  }
}
