import { hasPassed, type Reading } from '../clock.ts';
import { forgetAfterMs, replicaLimits } from '../limits.ts';
import type { Position, Scope } from '../messages.ts';

type Entry = { from: string; scope: Scope; applied: Position; heardAt: Reading };

/** Who may hold a lease, and what each of them has applied. A member is its incarnation, and a new one replaces none (rule 4). */
export class Members {
  protected readonly entries = new Map<string, Entry>();

  get count(): number {
    return this.entries.size;
  }

  covers(scope: Scope): boolean {
    for (const entry of this.entries.values()) if (entry.scope === scope) return true;
    return false;
  }

  /** @returns whether it was admitted: a join that comes twice changes nothing */
  admit(incarnation: string, from: string, scope: Scope, applied: Position, now: Reading): boolean {
    if (this.entries.has(incarnation) || this.entries.size >= replicaLimits.membersMax) return false;
    this.entries.set(incarnation, { from, scope, applied, heardAt: now });
    return true;
  }

  /** Whether a message in the name of a member comes from somewhere else than its join. */
  isForged(incarnation: string, from: string): boolean {
    const entry = this.entries.get(incarnation);
    return entry !== undefined && entry.from !== from;
  }

  /**
   * @param overdue what each scope should have applied by now; null for nothing
   * @returns whether it is a member: who was forgotten is not taken back (rule 3), and who renews without hearing its feed will be forgotten
   */
  renew(incarnation: string, applied: Position, now: Reading, overdue: Record<Scope, Position | null>): boolean {
    const entry = this.entries.get(incarnation);
    if (entry === undefined) return false;
    this.hasApplied(incarnation, applied);
    const needed = overdue[entry.scope];
    if (needed !== null && entry.applied < needed) return false;
    entry.heardAt = now;
    return true;
  }

  hasApplied(incarnation: string, position: Position): void {
    const entry = this.entries.get(incarnation);
    if (entry !== undefined && entry.applied < position) entry.applied = position;
  }

  remove(incarnation: string): void {
    this.entries.delete(incarnation);
  }

  /** Forgets those whose last lease has ended by now (rule 3). */
  forget(now: Reading): void {
    for (const [incarnation, { heardAt }] of this.entries) {
      if (hasPassed(this.forgetAfterMs(), heardAt, now)) this.entries.delete(incarnation);
    }
  }

  /** Whether every member of a scope has applied a position. */
  haveApplied(scope: Scope, position: Position): boolean {
    for (const entry of this.entries.values()) if (entry.scope === scope && entry.applied < position) return false;
    return true;
  }

  protected forgetAfterMs(): number {
    return forgetAfterMs;
  }
}
