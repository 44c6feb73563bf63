import { type AgentIdentity, DomainError } from '@agent-trust/contracts';
import { HttpRefusal } from '../http/refusal.ts';
import { edgeLimits } from '../limits.ts';

/**
 * Places for calls under way at this gateway. Each call takes one of its agent's, of its organisation's (or of those that all agents
 * without one share: anybody can register as many of them as they like) and of all.
 */
export type CallPlaces = {
  /**
   * Takes the places of one call and answers what gives them back, once however often it is called.
   *
   * @throws HttpRefusal too_many_calls, overloaded (with Retry-After).
   */
  take(caller: Pick<AgentIdentity, 'agentId' | 'orgId'>): () => void;
};

type Share = { name: string; callsMax: number; refuse: () => DomainError };

/** @param perAgentMax CALLS_PER_CALLER_MAX. An organisation has at least as many as one of its agents. */
export const createCallPlaces = (
  perAgentMax: number,
  bounds: { perOrgMax: number; strangersMax: number; allMax: number } = {
    perOrgMax: edgeLimits.callsAtOncePerOrgMax,
    strangersMax: edgeLimits.callsAtOnceOfStrangersMax,
    allMax: edgeLimits.callsAtOnceMax,
  },
): CallPlaces => {
  const taken = new Map<string, number>();
  const perOrgMax = Math.max(perAgentMax, bounds.perOrgMax);

  const sharesOf = ({ agentId, orgId }: Pick<AgentIdentity, 'agentId' | 'orgId'>): Share[] => [
    { name: `agent ${agentId}`, callsMax: perAgentMax, refuse: () => tooMany(`${perAgentMax} calls of this agent`) },
    orgId === null
      ? { name: 'strangers', callsMax: bounds.strangersMax, refuse: busy }
      : {
          name: `organisation ${orgId}`,
          callsMax: perOrgMax,
          refuse: () => tooMany(`${perOrgMax} calls of this agent's organisation`),
        },
    { name: 'all', callsMax: bounds.allMax, refuse: busy },
  ];

  return {
    take: (caller) => {
      const shares = sharesOf(caller);
      const full = shares.find(({ name, callsMax }) => (taken.get(name) ?? 0) >= callsMax);
      if (full !== undefined) throw full.refuse();
      for (const { name } of shares) taken.set(name, (taken.get(name) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const { name } of shares) {
          const left = (taken.get(name) ?? 0) - 1;
          // A name without calls is forgotten, so the map is no larger than the calls under way.
          if (left > 0) taken.set(name, left);
          else taken.delete(name);
        }
      };
    },
  };
};

const tooMany = (what: string): HttpRefusal =>
  new HttpRefusal(
    new DomainError('too_many_calls', `${what} are under way at this gateway; send this one when another has ended`),
    { headers: { 'retry-after': String(edgeLimits.retryAfterSeconds) } },
  );

const busy = (): DomainError =>
  new DomainError(
    'overloaded',
    'as many calls as this gateway takes are under way; nothing was done, try again in a moment',
  );
