import { OutboundError } from '../outbound-error.ts';
import { parseTargetUrl } from '../target-url.ts';
import { type CallerShare, callerSharesOf } from './caller-shares.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { faultOfTarget } from './fault-of-target.ts';
import { type TargetLimits, targetGuardLimits } from './limits.ts';
import { createRate, type Rate } from './rate.ts';
import { createRecentlyUsed } from './recently-used.ts';
import { type TargetRefusal, TargetRefused } from './target-refused.ts';

export type GuardedTarget = {
  url: string;
  agentId: string;
  /** Whose request it is; null for a stranger. All strangers together get what one caller gets: whoever likes can be many of them. */
  callerId: string | null;
  /** Tells strangers apart, as far as that goes: by their addresses, say. One of them gets half of what all get. */
  strangerId?: string | null;
};

/** A request's place at a target, from before it is sent to the end of its answer. */
export type TargetPass = {
  answered(): void;
  /** The request ended with this error; what is not the target's fault is not held against it. */
  failed(error: unknown): void;
  /** Gives the place back; harmless when repeated. What holds a place until an answer's body is over gives it to the client's `onEnd`. */
  leave(): void;
};

export type TargetGuard = {
  /**
   * Takes a place at the target, before anything is sent or recorded.
   *
   * @throws {TargetRefused} when the target has been failing, or has as many requests as it gets.
   */
  enter(target: GuardedTarget): TargetPass;
};

export type TargetGuardOptions = {
  limits: TargetLimits;
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number;
  targetsMax?: number;
  /** Told when a target is given up for a while, and when it has answered again. */
  onChange?: (agentId: string, change: 'opened' | 'closed') => void;
};

/** What is no address is one of its own: the client refuses it when it is sent there. */
const originOf = (url: string): string => {
  try {
    return parseTargetUrl(url).url.origin;
  } catch (error) {
    if (error instanceof OutboundError) return url;
    throw error;
  }
};

type Origin = { circuit: Circuit; requests: number };
/** `requestsBy` has the shares with a request under way, and no others. */
type Agent = Origin & { rate: Rate; requestsBy: Map<string, number> };

/**
 * Keeps one target from occupying a proxy, and one caller an agent: bounds what one agent, one origin and one caller of an agent have
 * under way, the rate of an agent, and stops trying those that are dead. An origin's circuit hears of connections that cannot be made, an agent's of silence: so of two agents that share
 * a server, one that never answers does not close the other. Everything is of this instance alone: N instances together
 * allow N times the limits, and each finds out by itself that a target is dead.
 */
export function createTargetGuard(options: TargetGuardOptions): TargetGuard {
  const { limits, now = () => performance.now(), targetsMax = targetGuardLimits.targetsMax, onChange } = options;
  const isIdle = ({ requests }: Origin): boolean => requests === 0;
  const origins = createRecentlyUsed<Origin>(
    targetsMax,
    () => ({ circuit: createCircuit({ callersMin: 1 }), requests: 0 }),
    isIdle,
  );
  const agents = createRecentlyUsed<Agent>(
    targetsMax,
    () => ({
      circuit: createCircuit({ callersMin: targetGuardLimits.silentToCallersMin }),
      requests: 0,
      rate: createRate(limits.agentRequestsPerSecondMax),
      requestsBy: new Map(),
    }),
    isIdle,
  );

  let requests = 0;
  const count = (agent: Agent, shares: readonly CallerShare[], change: 1 | -1): void => {
    for (const { name } of shares) {
      const requestsOfShare = (agent.requestsBy.get(name) ?? 0) + change;
      if (requestsOfShare === 0) agent.requestsBy.delete(name);
      else agent.requestsBy.set(name, requestsOfShare);
    }
    agent.requests += change;
  };
  const holdToLimits = (origin: Origin, agent: Agent, shares: readonly CallerShare[], at: number): void => {
    const refuseFor = (refusal: TargetRefusal, waitMs: number): void => {
      if (waitMs > 0) throw new TargetRefused(refusal, waitMs);
    };
    const refuseAt = (refusal: TargetRefusal, count: number, countMax: number): void =>
      refuseFor(refusal, count < countMax ? 0 : targetGuardLimits.busyRetryAfterMs);
    refuseFor('unavailable', Math.max(origin.circuit.waitMs(at), agent.circuit.waitMs(at)));
    refuseAt('agent_busy', agent.requests, limits.agentRequestsMax);
    for (const { name, countMax, refusal } of shares) refuseAt(refusal, agent.requestsBy.get(name) ?? 0, countMax);
    refuseAt('origin_busy', origin.requests, limits.originRequestsMax);
    refuseFor('rate', agent.rate.waitMs(at));
    refuseAt('full', requests, limits.requestsMax);
  };

  const enter = (target: GuardedTarget): TargetPass => {
    const { url, agentId } = target;
    const name = originOf(url);
    const origin = origins.get(name);
    const agent = agents.get(`${name} ${agentId}`);
    const at = now();
    // No agent has an empty name. Strangers are one to the circuits: whoever has several addresses must not shut an agent to all others.
    const caller = target.callerId ?? '';
    const shares = callerSharesOf(target, limits);
    holdToLimits(origin, agent, shares, at);
    const [ofOrigin, ofAgent] = [origin.circuit.enter(at), agent.circuit.enter(at)];
    agent.rate.take(at);
    requests += 1;
    origin.requests += 1;
    count(agent, shares, 1);
    let isSettled = false;
    let hasLeft = false;
    return {
      answered: () => {
        isSettled = true;
        const wereOpen = [ofOrigin.answered(), ofAgent.answered()];
        if (wereOpen.includes(true)) onChange?.(agentId, 'closed');
      },
      failed: (error) => {
        const fault = faultOfTarget(error);
        if (fault === null || isSettled) return;
        isSettled = true;
        const [blamed, other] = fault === 'no_connection' ? [ofOrigin, ofAgent] : [ofAgent, ofOrigin];
        other.unsettled(now());
        if (blamed.failed(now(), caller)) onChange?.(agentId, 'opened');
      },
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        if (!isSettled) for (const circuit of [ofOrigin, ofAgent]) circuit.unsettled(now());
        requests -= 1;
        origin.requests -= 1;
        count(agent, shares, -1);
      },
    };
  };

  return { enter };
}
