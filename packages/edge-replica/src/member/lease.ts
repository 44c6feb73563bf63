import { hasPassed, isWithin, type Reading } from '../clock.ts';
import { replicaLimits } from '../limits.ts';

/** A lease runs from the moment at which the member sent the request that the leader answered (rule 3). */
export class Lease {
  protected from: Reading;
  protected lastRequest = 0;
  protected lastRequestAt: Reading;
  /** When each request was sent that may still be answered in time. */
  protected readonly unanswered = new Map<number, Reading>();

  constructor(joinSentAt: Reading) {
    this.from = joinSentAt;
    this.lastRequestAt = joinSentAt;
  }

  holds(now: Reading): boolean {
    return isWithin(replicaLimits.leaseMs, this.from, now);
  }

  /** @returns the number of the request to send now, or null while none is due */
  nextRequest(now: Reading): number | null {
    if (!hasPassed(replicaLimits.renewEveryMs, this.lastRequestAt, now)) return null;
    for (const [request, sentAt] of this.unanswered) {
      if (hasPassed(replicaLimits.leaseMs, sentAt, now)) this.unanswered.delete(request);
    }
    this.lastRequest += 1;
    this.lastRequestAt = now;
    this.unanswered.set(this.lastRequest, now);
    return this.lastRequest;
  }

  /** The leader answered a request. An answer that comes after the lease has ended changes nothing. */
  answered(request: number, now: Reading): void {
    const sentAt = this.unanswered.get(request);
    if (sentAt === undefined || !this.holds(now)) return;
    for (const earlier of this.unanswered.keys()) if (earlier <= request) this.unanswered.delete(earlier);
    if (sentAt.monotonicMs > this.from.monotonicMs) this.from = sentAt;
  }
}
