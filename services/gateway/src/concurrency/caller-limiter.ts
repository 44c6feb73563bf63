import { type AgentIdentity, DomainError } from '@agent-trust/contracts';
import { ByteBudget, ConcurrencyLimiter, type Share } from '@agent-trust/limits';
import { HttpRefusal } from '../http/error-answer.ts';
import { edgeLimits } from '../limits.ts';

/** The owner of running requests: an agent, with the address of its client where that has a share, or the address of a client without a key. */
export type Holder = (Pick<AgentIdentity, 'agentId' | 'orgId'> & { clientAddress?: string }) | { address: string };

/**
 * Limits the concurrent requests of one kind at this gateway: for each agent, each organisation, and all. Agents without an organisation
 * share one limit, because anybody can register many. Clients without a key share another, and each address has a part of it. So neither
 * group blocks the others.
 */
export type CallerLimiter = {
  /**
   * Counts one request until the returned function is called. @throws HttpRefusal too_many_calls (with Retry-After); DomainError
   * overloaded.
   */
  acquire(holder: Holder): () => void;
  /** Requests under way, and how many there may be. */
  running(): number;
  readonly allMax: number;
};

type CallerBounds = {
  /** In the plural: `calls`. */
  what: string;
  perAgentMax: number;
  /** An organisation has at least as many as one of its agents. */
  perOrgMax: number;
  withoutOrgMax: number;
  /** All agents without an organisation at one client address; no limit of its own by default. */
  withoutOrgPerAddressMax?: number;
  perAddressMax: number;
  withoutKeyMax: number;
  allMax: number;
};

/** `of` names the holder of a share of its own; null for a share of many holders. */
type CallerShare = Share & { of: string | null };

const allKey = 'all';

const sharesOf = (holder: Holder, bounds: CallerBounds): CallerShare[] => {
  const { perAgentMax, withoutOrgMax, perAddressMax, withoutKeyMax, allMax } = bounds;
  const perOrgMax = Math.max(perAgentMax, bounds.perOrgMax);
  const all = { key: allKey, max: allMax, of: null };
  if ('address' in holder) {
    return [
      { key: `address ${holder.address}`, max: perAddressMax, of: 'this address' },
      { key: 'without key', max: withoutKeyMax, of: null },
      all,
    ];
  }
  const { agentId, orgId, clientAddress } = holder;
  const { withoutOrgPerAddressMax: max } = bounds;
  const hasAddressShare = orgId === null && clientAddress !== undefined && max !== undefined;
  return [
    { key: `agent ${agentId}`, max: perAgentMax, of: 'this agent' },
    ...(hasAddressShare
      ? [{ key: `without organisation at ${clientAddress}`, max, of: 'agents without an organisation at this address' }]
      : []),
    orgId === null
      ? { key: 'without organisation', max: withoutOrgMax, of: null }
      : { key: `organisation ${orgId}`, max: perOrgMax, of: "this agent's organisation" },
    all,
  ];
};

export function createCallerLimiter(bounds: CallerBounds): CallerLimiter {
  const { what } = bounds;
  const limiter = new ConcurrencyLimiter();
  return {
    acquire: (holder) => {
      const { full, release } = limiter.tryAcquire(sharesOf(holder, bounds));
      if (full === undefined) return release;
      throw full.of === null ? overloaded(what) : tooMany(`${full.max} ${what} of ${full.of}`);
    },
    running: () => limiter.running(allKey),
    allMax: bounds.allMax,
  };
}

/** Limits the bytes that this gateway holds at one time, of the same groups of callers. */
export type CallerBytes = {
  /** Counts bytes until the returned function is called. @throws DomainError overloaded */
  acquire(holder: Holder, bytes: number): () => void;
  /** The same when there is room, at the latest after `waitMs`; at once if too many wait. @throws BudgetFullError */
  acquireInTurn(holder: Holder, bytes: number, waitMs: number): Promise<() => void>;
};

export function createCallerBytes(bounds: CallerBounds): CallerBytes {
  const { what } = bounds;
  const budget = new ByteBudget(edgeLimits.waitingForRoomMax);
  return {
    acquire: (holder, bytes) => {
      const { full, release } = budget.tryTake(sharesOf(holder, bounds), bytes);
      if (full === undefined) return release;
      throw full.of === null ? overloaded(what) : overloaded(`${what} of ${full.of}`, 'caller');
    },
    acquireInTurn: (holder, bytes, waitMs) => budget.take(sharesOf(holder, bounds), bytes, waitMs),
  };
}

const tooMany = (those: string): HttpRefusal =>
  new HttpRefusal(
    new DomainError('too_many_calls', `${those} are under way at this gateway; send this one when another has ended`),
    { headers: { 'retry-after': String(edgeLimits.retryAfterSeconds) } },
  );

const overloaded = (what: string, limitedBy?: 'caller'): DomainError =>
  new DomainError(
    'overloaded',
    `as many ${what} as this gateway takes are under way; nothing was done, try again in a moment`,
    { limitedBy },
  );

/** Limits concurrent requests: of each owner, and of all. */
export type OwnerLimiter = {
  /** Counts one request of `owner` until the returned function is called. @throws DomainError overloaded */
  acquire(owner: string): () => void;
};

export function createOwnerLimiter({ allMax, ownerMax }: { allMax: number; ownerMax: number }): OwnerLimiter {
  const limiter = new ConcurrencyLimiter();
  return {
    acquire: (owner) => {
      const { full, release } = limiter.tryAcquire([
        { key: `owner ${owner}`, max: ownerMax, whose: `${ownerMax} such requests of yours`, of: 'caller' as const },
        { key: 'all', max: allMax, whose: `${allMax} such requests`, of: undefined },
      ]);
      if (full !== undefined)
        throw new DomainError('overloaded', `${full.whose} are under way`, { limitedBy: full.of });
      return release;
    },
  };
}
