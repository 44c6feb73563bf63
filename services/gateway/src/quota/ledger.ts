import type { UsageGrant, UsageItem, UsageKind } from '@agent-trust/contracts';
import { quotaLimits } from './limits.ts';

/** A request of an organisation, in production or in its sandbox. */
export type Counted = { orgId: string; universe: 'production' | 'sandbox'; kind: UsageKind };

/**
 * What becomes of a request. `wanting`: a lease must be asked for first. `exhausted`: the limit is reached; `taken` is what all gateways have
 * used or set aside. `full`: too many counts are held.
 */
export type Taken =
  | { outcome: 'admitted'; day: string }
  | { outcome: 'wanting' }
  | { outcome: 'exhausted'; taken: number }
  | { outcome: 'full' };

type Count = Pick<
  UsageItem,
  'orgId' | 'day' | 'kind' | 'inProduction' | 'inSandbox' | 'failed' | 'refused' | 'leased'
> & {
  /** Requests that may be admitted without asking. */
  lease: number;
  /** The limit under which it was leased. */
  limit: number;
  wanted: number;
  exhausted: { taken: number; until: number } | null;
  touchedAt: number;
};

/**
 * What one gateway has counted and not reported, and what it may admit without asking. Without a limit it only counts. With one, each
 * request uses up a lease that the shared counter has granted and counts as used up from then on: so all gateways together never exceed the limit, also if
 * some are killed, and what those had leased and not used is lost until the next day.
 */
export class Ledger {
  readonly #counts = new Map<string, Count>();

  get size(): number {
    return this.#counts.size;
  }

  /** Counts a request if it is admitted. @param limit 0: none */
  take(request: Counted, limit: number, now: number): Taken {
    const day = dayOf(now);
    const count = this.#count(request, day, now);
    if (count === null) return { outcome: 'full' };
    if (count.limit !== limit) {
      this.#giveLeaseBack(count);
      count.exhausted = null;
      count.limit = limit;
    }
    if (limit !== 0) {
      if (count.lease === 0) return this.#withoutLease(count, now);
      count.lease -= 1;
      count.leased -= 1;
    }
    this.#add(count, request, 1);
    return { outcome: 'admitted', day };
  }

  /** Counts a request without asking, for one that is admitted although its limit cannot be checked. */
  add(request: Counted, now: number): string {
    const day = dayOf(now);
    const count = this.#count(request, day, now);
    if (count !== null) this.#add(count, request, 1);
    return day;
  }

  /** A request that was admitted did nothing: another may take its place on that day. */
  giveBack(request: Counted, day: string, now: number): void {
    const count = this.#count(request, day, now);
    if (count === null) return;
    this.#add(count, request, -1);
    if (count.limit === 0) return;
    count.lease += 1;
    count.leased += 1;
  }

  failed(request: Counted, day: string, now: number): void {
    const count = this.#count(request, day, now);
    if (count !== null) count.failed += 1;
  }

  /** A request waits for a lease (1), or waits no more (-1). */
  want(request: Counted, change: 1 | -1, now: number): void {
    const count = this.#count(request, dayOf(now), now);
    if (count !== null) count.wanted = Math.max(0, count.wanted + change);
  }

  /** What there is to report. It counts as reported from now on: it must be sent until it is answered. */
  report(now: number): UsageItem[] {
    const items: UsageItem[] = [];
    const reported: [string, Count][] = [];
    const today = dayOf(now);
    for (const [key, count] of this.#counts) {
      if (items.length === quotaLimits.itemsPerReport) break;
      const isOver = count.day !== today;
      if (isOver || now - count.touchedAt >= quotaLimits.leaseIdleMs) this.#giveLeaseBack(count);
      const { orgId, day, kind, inProduction, inSandbox, failed, refused, leased } = count;
      const wanted = isOver ? 0 : count.wanted;
      if (wanted > 0 || [inProduction, inSandbox, failed, refused, leased].some((number) => number !== 0)) {
        items.push({ orgId, day, kind, inProduction, inSandbox, failed, refused, leased, wanted });
        reported.push([key, count]);
        Object.assign(count, { inProduction: 0, inSandbox: 0, failed: 0, refused: 0, leased: 0 });
      } else if (count.lease === 0 && wanted === 0 && (count.exhausted?.until ?? 0) <= now) {
        this.#counts.delete(key);
      }
    }
    // The next report begins with those that this one had no room for.
    for (const [key, count] of reported) {
      this.#counts.delete(key);
      this.#counts.set(key, count);
    }
    return items;
  }

  /** Takes the answer to a report. */
  granted(grants: readonly UsageGrant[], now: number): void {
    for (const { granted, taken, ...item } of grants) {
      const count = this.#count(item, item.day, now);
      // What was granted to it is lost until the next day.
      if (count === null) continue;
      count.lease += granted;
      count.exhausted = granted > 0 ? null : { taken, until: now + quotaLimits.recheckMs };
    }
  }

  /** Has the next report give back all that is leased, for a gateway that stops. */
  giveAllBack(): void {
    for (const count of this.#counts.values()) this.#giveLeaseBack(count);
  }

  #withoutLease(count: Count, now: number): Taken {
    const { exhausted } = count;
    if (exhausted === null || exhausted.until <= now) return { outcome: 'wanting' };
    count.refused += 1;
    return { outcome: 'exhausted', taken: exhausted.taken };
  }

  #giveLeaseBack(count: Count): void {
    count.leased -= count.lease;
    count.lease = 0;
  }

  #add(count: Count, { universe }: Counted, change: 1 | -1): void {
    if (universe === 'production') count.inProduction += change;
    else count.inSandbox += change;
  }

  #count({ orgId, kind }: Pick<Counted, 'orgId' | 'kind'>, day: string, now: number): Count | null {
    const key = `${kind} ${day} ${orgId}`;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.touchedAt = now;
      return known;
    }
    if (this.#counts.size >= quotaLimits.countsMax) return null;
    const nothing = { inProduction: 0, inSandbox: 0, failed: 0, refused: 0, leased: 0, lease: 0, limit: 0, wanted: 0 };
    const count: Count = { orgId, day, kind, ...nothing, exhausted: null, touchedAt: now };
    this.#counts.set(key, count);
    return count;
  }
}

const dayMs = 24 * 60 * 60 * 1_000;

/** The UTC day of a time, as `2026-01-15`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Milliseconds until the next UTC day. */
export function untilNextDay(time: number): number {
  return dayMs - (time % dayMs);
}
