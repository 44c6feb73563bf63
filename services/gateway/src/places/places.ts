import { type AgentIdentity, DomainError } from '@agent-trust/contracts';
import { HttpRefusal } from '../http/refusal.ts';
import { edgeLimits } from '../limits.ts';

/** Who takes a place: an agent, or a client without a key by its address. */
export type Holder = Pick<AgentIdentity, 'agentId' | 'orgId'> | { address: string };

/**
 * Places for requests of one kind that are under way at this gateway. Each takes one of its agent's, of its organisation's (or of those
 * that all agents without one share: anybody can register as many of them as they like) and of all. Clients without a key share
 * places of their own, of which one address has some: so neither they nor agents without an organisation keep out anybody else.
 */
export type Places = {
  /**
   * Takes the places of one request and answers what gives them back, once however often it is called.
   *
   * @throws HttpRefusal too_many_calls (with Retry-After) where the holder or its organisation has all of its own; DomainError overloaded.
   */
  take(holder: Holder): () => void;
};

export type PlaceBounds = {
  /** What is counted, in the plural: `calls`. */
  what: string;
  perAgentMax: number;
  /** An organisation has at least as many as one of its agents. */
  perOrgMax: number;
  withoutOrgMax: number;
  perAddressMax: number;
  withoutKeyMax: number;
  allMax: number;
};

type Share = { name: string; max: number; refuse: () => DomainError };

export function createPlaces(bounds: PlaceBounds): Places {
  const { what, perAgentMax, withoutOrgMax, perAddressMax, withoutKeyMax, allMax } = bounds;
  const perOrgMax = Math.max(perAgentMax, bounds.perOrgMax);
  const taken = new Map<string, number>();

  const own = (name: string, max: number, of: string): Share => ({
    name,
    max,
    refuse: () => tooMany(`${max} ${what} of ${of}`),
  });
  const shared = (name: string, max: number): Share => ({ name, max, refuse: () => busy(what) });

  const sharesOf = (holder: Holder): Share[] => {
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
    take: (holder) => {
      const shares = sharesOf(holder);
      const full = shares.find(({ name, max }) => (taken.get(name) ?? 0) >= max);
      if (full !== undefined) throw full.refuse();
      for (const { name } of shares) taken.set(name, (taken.get(name) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const { name } of shares) {
          const left = (taken.get(name) ?? 0) - 1;
          // A name without requests is forgotten, so the map is no larger than what is under way.
          if (left > 0) taken.set(name, left);
          else taken.delete(name);
        }
      };
    },
  };
}

const tooMany = (those: string): HttpRefusal =>
  new HttpRefusal(
    new DomainError('too_many_calls', `${those} are under way at this gateway; send this one when another has ended`),
    { headers: { 'retry-after': String(edgeLimits.retryAfterSeconds) } },
  );

const busy = (what: string): DomainError =>
  new DomainError(
    'overloaded',
    `as many ${what} as this gateway takes are under way; nothing was done, try again in a moment`,
  );
