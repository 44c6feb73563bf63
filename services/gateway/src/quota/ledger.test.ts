/**
 * Bugs: several gateways together admit more than the limit, because a report was sent twice, an answer was lost, a gateway was killed or the limit was
 * changed meanwhile; leases that nobody uses are lost, so that an organisation gets less than its limit; hostile traffic makes a gateway hold ever more.
 */
import type { UsageGrant, UsageItem } from '@agent-trust/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Counted, dayOf, Ledger, untilNextDay } from './ledger.ts';
import { quotaLimits } from './limits.ts';

const orgId = 'acme';
const call: Counted = { orgId, universe: 'production', kind: 'calls' };
const morning = Date.parse('2026-01-15T08:00:00Z');

/** The shared counter as services/trust-projection/src/usage has it: what is used and all that is leased never exceed the limit. */
const createCounter = (grant: (remaining: number, wanted: number) => number) => {
  const answers = new Map<string, { sequence: number; granted: UsageGrant[] }>();
  const days = new Map<string, { used: number; leased: number; refused: number }>();
  return {
    limit: 0,
    days,
    settle(report: { reporterId: string; sequence: number; items: UsageItem[] }): UsageGrant[] {
      const last = answers.get(report.reporterId);
      if (last?.sequence === report.sequence) return last.granted;
      const granted = report.items.flatMap((item): UsageGrant[] => {
        const day = days.get(item.day) ?? { used: 0, leased: 0, refused: 0 };
        day.used += item.inProduction + item.inSandbox;
        day.leased += item.leased;
        day.refused += item.refused;
        days.set(item.day, day);
        if (item.wanted === 0) return [];
        const remaining = Math.max(0, this.limit - day.used - day.leased);
        const given = this.limit === 0 ? item.wanted : Math.min(remaining, grant(remaining, item.wanted));
        day.leased += given;
        return [
          {
            orgId,
            day: item.day,
            kind: 'calls',
            limit: this.limit,
            taken: day.used + day.leased - given,
            granted: given,
          },
        ];
      });
      answers.set(report.reporterId, { sequence: report.sequence, granted });
      return granted;
    },
  };
};

type Message = { reporterId: string; sequence: number; items: UsageItem[] };
let reporters = 0;

/** A gateway whose messages travel only when the test says so. */
const createGateway = () => {
  const ledger = new Ledger();
  reporters += 1;
  const reporterId = `gateway ${reporters}`;
  return { ledger, reporterId, sequence: 0, unanswered: null as Message | null, waiting: 0 };
};

const gateways = 3;
const gateway = fc.nat(gateways - 1);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('take' as const), gateway }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('deliver', 'deliver, lose the answer'), gateway }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('kill', 'give back'), gateway }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(6_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set' as const), limit: fc.integer({ min: 1, max: 40 }) }) },
);

describe('the limit of a day', () => {
  it('is never exceeded by all gateways together, whatever is lost, repeated or killed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(step, { maxLength: 300 }),
        fc.integer({ min: 1, max: 5 }),
        (limit, steps, share) => {
          const counter = createCounter((remaining, wanted) => Math.max(wanted, Math.floor(remaining / share)));
          counter.limit = limit;
          const running = Array.from({ length: gateways }, createGateway);
          let now = morning;
          let admitted = 0;
          /** What was admitted before the limit was lowered stays. */
          let most = limit;
          const deliver = (index: number, isAnswerLost: boolean): void => {
            const one = running[index]!;
            if (one.unanswered === null) {
              const items = one.ledger.report(now);
              if (items.length === 0) return;
              one.sequence += 1;
              one.unanswered = { reporterId: one.reporterId, sequence: one.sequence, items };
            }
            const granted = counter.settle(one.unanswered);
            if (isAnswerLost) return;
            one.unanswered = null;
            one.ledger.granted(granted, now);
            while (one.waiting > 0) {
              one.waiting -= 1;
              one.ledger.want(call, -1, now);
            }
          };
          let isKilled = false;
          for (const one of steps) {
            if (one.do === 'wait') now += 'ms' in one ? one.ms : 0;
            else if (one.do === 'set' && 'limit' in one) {
              counter.limit = one.limit;
              most = Math.max(one.limit, admitted);
            } else if ('gateway' in one) {
              const at = running[one.gateway]!;
              if (one.do === 'take') {
                const { outcome } = at.ledger.take(call, counter.limit, now);
                if (outcome === 'admitted') admitted += 1;
                if (outcome === 'wanting') {
                  at.waiting += 1;
                  at.ledger.want(call, 1, now);
                }
              } else if (one.do === 'kill') {
                running[one.gateway] = createGateway();
                isKilled = true;
              } else if (one.do === 'give back') {
                if (admitted > 0 && at.ledger.size > 0) {
                  at.ledger.giveBack(call, dayOf(now), now);
                  admitted -= 1;
                }
              } else deliver(one.gateway, one.do === 'deliver, lose the answer');
            }
            expect(admitted).toBeLessThanOrEqual(most);
          }
          if (isKilled || most > counter.limit) return;
          // Nothing was killed: what is left can be used up at any one gateway, once the others have given back what they do not use.
          for (let round = 0; round < 3; round += 1) {
            now += quotaLimits.leaseIdleMs;
            for (const index of running.keys()) deliver(index, false);
          }
          const last = running[0]!;
          for (let attempts = 0; attempts < 200; attempts += 1) {
            now += quotaLimits.recheckMs;
            const { outcome } = last.ledger.take(call, counter.limit, now);
            if (outcome === 'admitted') admitted += 1;
            else {
              last.ledger.want(call, 1, now);
              deliver(0, false);
              last.ledger.want(call, -1, now);
            }
          }
          expect(admitted).toBe(counter.limit);
        },
      ),
      { numRuns: 400, seed: 20_260_115 },
    );
  });

  it('begins anew with each UTC day, and a lease of the day before is given back', () => {
    const ledger = new Ledger();
    const evening = Date.parse('2026-01-15T23:59:59.900Z');
    ledger.granted([{ orgId, kind: 'calls', day: '2026-01-15', limit: 9, taken: 0, granted: 3 }], evening);
    expect(ledger.take(call, 9, evening).outcome).toBe('wanting');
    ledger.granted([{ orgId, kind: 'calls', day: '2026-01-15', limit: 9, taken: 0, granted: 3 }], evening);
    expect(ledger.take(call, 9, evening).outcome).toBe('admitted');
    expect(ledger.take(call, 9, evening + 200).outcome).toBe('wanting');
    // Three of a limit that no longer held, the one that was used, and the two that were not.
    expect(ledger.report(evening + 200)).toMatchObject([{ day: '2026-01-15', inProduction: 1, leased: -6, wanted: 0 }]);
    expect([dayOf(evening), untilNextDay(evening)]).toEqual(['2026-01-15', 100]);
  });
});

describe('without a limit', () => {
  it('all is counted by universe and kind, and nothing is asked', () => {
    const ledger = new Ledger();
    for (const universe of ['production', 'production', 'sandbox'] as const)
      expect(ledger.take({ ...call, universe }, 0, morning).outcome).toBe('admitted');
    ledger.take({ ...call, kind: 'reads' }, 0, morning);
    ledger.failed(call, dayOf(morning), morning);
    const [calls, reads, ...others] = ledger.report(morning);
    expect(calls).toMatchObject({ kind: 'calls', inProduction: 2, inSandbox: 1, failed: 1, wanted: 0, leased: 0 });
    expect(reads).toMatchObject({ kind: 'reads', inProduction: 1 });
    expect(others).toEqual([]);
    expect(ledger.report(morning)).toEqual([]);
  });
});

describe('what a gateway holds', () => {
  it('has a bound, and is empty once all is reported and given back', () => {
    const ledger = new Ledger();
    for (let index = 0; index < quotaLimits.countsMax; index += 1)
      expect(ledger.take({ ...call, orgId: `org ${index}` }, 0, morning).outcome).toBe('admitted');
    expect(ledger.take({ ...call, orgId: 'one more' }, 0, morning).outcome).toBe('full');
    let reported = 0;
    for (;;) {
      const { length } = ledger.report(morning);
      expect(length).toBeLessThanOrEqual(quotaLimits.itemsPerReport);
      if (length === 0) break;
      reported += length;
    }
    expect([reported, ledger.size]).toEqual([quotaLimits.countsMax, 0]);
    expect(ledger.take({ ...call, orgId: 'one more' }, 0, morning).outcome).toBe('admitted');
  });

  it('does not keep a day that is over for who waits since then', () => {
    const ledger = new Ledger();
    const evening = Date.parse('2026-01-15T23:59:59.900Z');
    ledger.want(call, 1, evening);
    ledger.want(call, -1, evening + 200);
    for (let round = 0; round < 2; round += 1) expect(ledger.report(evening + 200)).toEqual([]);
    expect(ledger.size).toBe(0);
  });

  it('refuses without asking for a while, and counts what it refuses', () => {
    const ledger = new Ledger();
    expect(ledger.take(call, 5, morning).outcome).toBe('wanting');
    ledger.granted([{ orgId, kind: 'calls', day: dayOf(morning), limit: 5, taken: 5, granted: 0 }], morning);
    expect(ledger.take(call, 5, morning)).toEqual({ outcome: 'exhausted', taken: 5 });
    expect(ledger.report(morning)).toMatchObject([{ refused: 1, inProduction: 0 }]);
    expect(ledger.take(call, 5, morning + quotaLimits.recheckMs).outcome).toBe('wanting');
    // A raised limit is noticed at once.
    ledger.granted([{ orgId, kind: 'calls', day: dayOf(morning), limit: 5, taken: 5, granted: 0 }], morning);
    expect(ledger.take(call, 6, morning).outcome).toBe('wanting');
  });
});
