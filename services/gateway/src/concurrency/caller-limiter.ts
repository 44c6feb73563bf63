import { type AgentIdentity, DomainError } from '@agent-trust/contracts';
import { ConcurrencyLimiter, type Share } from '@agent-trust/limits';
import { HttpRefusal } from '../http/error-answer.ts';
import { edgeLimits } from '../limits.ts';

/** The owner of running requests: an agent, or the address of a client without a key. */
export type Holder = Pick<AgentIdentity, 'agentId' | 'orgId'> | { address: string };

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
};

type CallerBounds = {
  /** In the plural: `calls`. */
  what: string;
  perAgentMax: number;
  /** An organisation has at least as many as one of its agents. */
  perOrgMax: number;
  withoutOrgMax: number;
  perAddressMax: number;
  withoutKeyMax: number;
  allMax: number;
};

type RefusingShare = Share & { refuse: () => DomainError };

export function createCallerLimiter(bounds: CallerBounds): CallerLimiter {
  const { what, perAgentMax, withoutOrgMax, perAddressMax, withoutKeyMax, allMax } = bounds;
  const perOrgMax = Math.max(perAgentMax, bounds.perOrgMax);
  const limiter = new ConcurrencyLimiter();

  const own = (key: string, max: number, of: string): RefusingShare => ({
    key,
    max,
    refuse: () => tooMany(`${max} ${what} of ${of}`),
  });
  const shared = (key: string, max: number): RefusingShare => ({ key, max, refuse: () => overloaded(what) });

  const sharesOf = (holder: Holder): RefusingShare[] => {
    const all = shared('all', allMax);
    if ('address' in holder) {
      const { address } = holder;
      return [own(`address ${address}`, perAddressMax, 'this address'), shared('without key', withoutKeyMax), all];
    }
    const { agentId, orgId } = holder;
    const ofAgent = own(`agent ${agentId}`, perAgentMax, 'this agent');
    return orgId === null
      ? [ofAgent, shared('without organisation', withoutOrgMax), all]
      : [ofAgent, own(`organisation ${orgId}`, perOrgMax, "this agent's organisation"), all];
  };

  return {
    acquire: (holder) => {
      const { full, release } = limiter.tryAcquire(sharesOf(holder));
      if (full !== undefined) throw full.refuse();
      return release;
    },
  };
}

const tooMany = (those: string): HttpRefusal =>
  new HttpRefusal(
    new DomainError('too_many_calls', `${those} are under way at this gateway; send this one when another has ended`),
    { headers: { 'retry-after': String(edgeLimits.retryAfterSeconds) } },
  );

const overloaded = (what: string): DomainError =>
  new DomainError(
    'overloaded',
    `as many ${what} as this gateway takes are under way; nothing was done, try again in a moment`,
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
        { key: `owner ${owner}`, max: ownerMax, whose: `${ownerMax} such requests of yours` },
        { key: 'all', max: allMax, whose: `${allMax} such requests` },
      ]);
      if (full !== undefined) throw new DomainError('overloaded', `${full.whose} are under way`);
      return release;
    },
  };
}
