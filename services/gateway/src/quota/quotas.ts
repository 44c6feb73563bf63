import {
  changedKeys,
  type DailyLimits,
  DomainError,
  getOrganisationLimits,
  settleUsage,
  type QuotaFields,
  type Universe,
  type UsageKind,
} from '@agent-trust/contracts';
import type { Replica } from '@agent-trust/edge-replica/bus';
import { counter } from '@agent-trust/metrics';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import { ask, type Origin } from '../bus/ask.ts';
import { HttpRefusal } from '../http/error-answer.ts';
import { type Counted, Ledger, untilNextDay } from './ledger.ts';
import { quotaLimits } from './limits.ts';
import { createReporter } from './reporter.ts';

/** Whose requests are counted: an organisation's, by its keys and by its agents. */
export type Holder = { orgId: string; universe: Universe };

/** A request that was counted. */
export type Admitted = {
  /** It did nothing: another may take its place. */
  giveBack(): void;
  /** It ended with an error. */
  failed(): void;
};

/** What organisations may do in a UTC day. */
export type Quotas = {
  /**
   * Counts a request of an organisation, at all gateways together; anonymous ones and those of agents without an organisation are nobody's. @throws HttpRefusal
   * quota_exceeded, with Retry-After; DomainError unavailable where the limit of calls or registrations cannot be checked, overloaded.
   */
  take(request: Origin, holder: Holder | null, kind: UsageKind): Promise<Admitted>;
  /** Reports what was counted until now. */
  report(): Promise<void>;
  /** Reports what was counted, and gives back what was leased and not used. */
  stop(): Promise<void>;
};

const nobodys: Admitted = { giveBack: () => undefined, failed: () => undefined };
const refusals = counter('registry.quota.refusals');

export function createQuotas(
  { rpc, replica, logger }: { rpc: Rpc; replica: () => Pick<Replica, 'read'>; logger: Pick<Logger, 'warn'> },
  now: () => number = Date.now,
): Quotas {
  const ledger = new Ledger();
  const reporter = createReporter(
    ledger,
    (report) => rpc.request(settleUsage, report, { timeoutMs: quotaLimits.reportTimeoutMs }),
    now,
  );
  const timer = setInterval(() => {
    reporter.settle().catch((err: unknown) => logger.warn({ err }, 'usage could not be reported; trying again'));
  }, quotaLimits.reportEveryMs);

  /** Held until the operator sets others: whoever has the answer of that request knows that they hold here. */
  const limitsOf = (request: Origin, orgId: string): Promise<DailyLimits | null> =>
    replica().read(changedKeys.limits(orgId), async () => {
      const { limits } = await ask({ rpc }, request, getOrganisationLimits, { organisation: orgId });
      return { value: limits, dependsOn: limits && [changedKeys.organisation(orgId)] };
    });

  const admitted = (request: Counted, day: string): Admitted => ({
    giveBack: () => ledger.giveBack(request, day, now()),
    failed: () => ledger.failed(request, day, now()),
  });

  /** Reads are answered from memory while the counter is away, so they are admitted then; a call or registration needs the same service. */
  const unchecked = (request: Counted, error: unknown): Admitted => {
    if (request.kind === 'reads') return admitted(request, ledger.add(request, now()));
    throw new DomainError(
      'unavailable',
      `the organisation's limit of ${request.kind} cannot be checked now; nothing was done, try again`,
      { cause: error },
    );
  };

  const takeOne = async (request: Counted, limit: number): Promise<Admitted> => {
    for (let attempt = 1; attempt <= quotaLimits.attemptsMax; attempt += 1) {
      const askedAt = now();
      const taken = ledger.take(request, limit, askedAt);
      if (taken.outcome === 'admitted') return admitted(request, taken.day);
      if (taken.outcome === 'exhausted') throw exceeded(request.kind, limit, taken.taken, askedAt);
      const isWanting = taken.outcome === 'wanting';
      if (isWanting) ledger.want(request, 1, askedAt);
      try {
        await reporter.settle();
      } catch (error) {
        return unchecked(request, error);
      } finally {
        // On the day on which it was asked for, which may be over: nobody would forget that count.
        if (isWanting) ledger.want(request, -1, askedAt);
      }
    }
    throw new DomainError('overloaded', 'too many requests wait for the limits of their organisations; try again');
  };

  return {
    take: async (request, holder, kind) => {
      if (holder === null) return nobodys;
      const { orgId, universe } = holder;
      const counted: Counted = { orgId, universe: universe.kind, kind };
      let limits: DailyLimits | null;
      try {
        limits = await limitsOf(request, orgId);
      } catch (error) {
        return unchecked(counted, error);
      }
      return takeOne(counted, limits?.[`${kind}PerDay`] ?? 0);
    },
    report: () => reporter.settle(),
    stop: async () => {
      clearInterval(timer);
      ledger.giveAllBack();
      await reporter.settle().catch((err: unknown) => logger.warn({ err }, 'the last usage could not be reported'));
    },
  };
}

const exceeded = (kind: UsageKind, limit: number, used: number, now: number): HttpRefusal => {
  refusals.with({ 'registry.usage': kind }).add();
  const seconds = Math.ceil(untilNextDay(now) / 1_000);
  const resetsAt = new Date(now + untilNextDay(now)).toISOString();
  const refusal = new DomainError(
    'quota_exceeded',
    `the organisation may make ${limit} ${kind} in a UTC day, and has made ${used} today, with those that are set aside for other gateways; the next day begins at ${resetsAt}`,
  );
  return new HttpRefusal(refusal, {
    headers: { 'retry-after': String(seconds) },
    fields: { quota: kind, limit, used, resets_at: resetsAt } satisfies QuotaFields,
  });
};
