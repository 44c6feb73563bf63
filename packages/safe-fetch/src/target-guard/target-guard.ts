import { ConcurrencyLimiter, createBoundedMap, type Share } from '@agent-trust/limits';
import { faultOfTarget, OutboundError } from '../outbound-error.ts';
import { parseTargetUrl } from '../target-url.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { type TargetLimits, targetGuardLimits } from './limits.ts';
import { createRate, type Rate } from './rate.ts';
import { type TargetRefusal, TargetRefused } from './target-refused.ts';

export type GuardedTarget = {
  url: string;
  agentId: string;
  /** Null for an anonymous caller. All of these together get what one known caller gets, because anybody can pose as many of them. */
  callerId: string | null;
  /** Distinguishes anonymous callers as far as possible, by their addresses for example. One of them gets half of what all get. */
  anonymousId?: string | null;
};

/** A request's permit for a target, from before it is sent to the end of its answer. */
export type TargetPass = {
  answered(): void;
  /** The request ended with this error; errors that are not the target's fault do not count against it. */
  failed(error: unknown): void;
  /** Releases the permit; harmless if repeated. To hold it until the answer's body is over, pass this function to the client as `onEnd`. */
  leave(): void;
};

export type TargetGuard = {
  /** Admits a request before anything is sent or recorded. Throws TargetRefused if the target has been failing, or has reached a limit. */
  enter(target: GuardedTarget): TargetPass;
  /** Requests that were admitted and have not left. */
  running(): number;
  /** Circuits of agents and of origins that are open. It looks at all of them. */
  openCircuits(): number;
};

export type TargetGuardOptions = {
  limits: TargetLimits;
  /** Milliseconds of a clock that never runs backwards. */
  now?: () => number;
  targetsMax?: number;
  onChange?: (agentId: string, change: 'opened' | 'closed') => void;
};

/** An invalid address counts as an origin of its own: the client refuses it when the request is sent. */
const originOf = (url: string): string => {
  try {
    return parseTargetUrl(url).url.origin;
  } catch (error) {
    if (error instanceof OutboundError) return url;
    throw error;
  }
};

type Origin = { key: string; circuit: Circuit };
type Agent = Origin & { rate: Rate };

/**
 * Keeps one target from occupying a proxy, and one caller from occupying an agent: limits the concurrent requests of an agent, an origin and a caller of
 * an agent, limits the rate of an agent, and stops trying dead targets. An origin's circuit counts failures to connect, an agent's circuit counts
 * silence: an agent that never answers does not close others on its server. Each instance has its own limits and circuits.
 */
export function createTargetGuard(options: TargetGuardOptions): TargetGuard {
  const { limits, now = () => performance.now(), targetsMax = targetGuardLimits.targetsMax, onChange } = options;
  const limiter = new ConcurrencyLimiter();
  // The number of requests under way has a limit far below `targetsMax`.
  const known = createBoundedMap<string, Origin | Agent>({
    countMax: 2 * targetsMax,
    mayEvict: ({ key }) => limiter.running(key) === 0,
  });
  const find = <Kind extends Origin>(key: string, create: () => Omit<Kind, 'key'>): Kind => {
    const found = (known.get(key) as Kind | undefined) ?? ({ key, ...create() } as Kind);
    known.set(key, found);
    return found;
  };

  const enter = (target: GuardedTarget): TargetPass => {
    const { url, agentId } = target;
    const originName = originOf(url);
    const origin = find<Origin>(`origin ${originName}`, () => ({ circuit: createCircuit({ callersMin: 1 }) }));
    const agent = find<Agent>(`agent ${originName} ${agentId}`, () => ({
      circuit: createCircuit({ callersMin: targetGuardLimits.silentToCallersMin }),
      rate: createRate(limits.agentRequestsPerSecondMax),
    }));
    const at = now();
    const circuitWaitMs = Math.max(origin.circuit.waitMs(at), agent.circuit.waitMs(at));
    if (circuitWaitMs > 0) throw new TargetRefused('unavailable', circuitWaitMs);
    const { release, full } = limiter.tryAcquire(sharesOf(target, origin, agent, limits));
    if (full !== undefined) throw new TargetRefused(full.refusal, targetGuardLimits.busyRetryAfterMs);
    const rateWaitMs = agent.rate.waitMs(at);
    if (rateWaitMs > 0) {
      release();
      throw new TargetRefused('rate', rateWaitMs);
    }
    // For the circuits all anonymous callers are one: a caller with several addresses must not close an agent to all others.
    const caller = target.callerId ?? '';
    const [ofOrigin, ofAgent] = [origin.circuit.enter(at), agent.circuit.enter(at)];
    agent.rate.take(at);
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
        release();
      },
    };
  };

  return {
    enter,
    running: () => limiter.running(allKey),
    openCircuits: () => [...known.values()].filter(({ circuit }) => circuit.isOpen()).length,
  };
}

const allKey = 'all';

type TargetShare = Share & { refusal: TargetRefusal };

/** What a request counts towards; the first full share is the reason of a refusal. */
const sharesOf = (
  { callerId, anonymousId = null }: GuardedTarget,
  origin: Origin,
  agent: Agent,
  limits: TargetLimits,
): TargetShare[] => {
  // One caller gets half of an agent's permits, so that its slow streams leave room for others. So do all anonymous callers together.
  const callerMax = Math.ceil(limits.agentRequestsMax / 2);
  const ofCaller = (name: string, max: number, refusal: TargetRefusal): TargetShare => ({
    key: `${name} of ${agent.key}`,
    max,
    refusal,
  });
  const anonymous = [ofCaller('anonymous', callerMax, 'anonymous_busy')];
  if (anonymousId !== null)
    anonymous.unshift(ofCaller(`address ${anonymousId}`, Math.ceil(callerMax / 2), 'caller_busy'));
  return [
    { key: agent.key, max: limits.agentRequestsMax, refusal: 'agent_busy' },
    ...(callerId === null ? anonymous : [ofCaller(`caller ${callerId}`, callerMax, 'caller_busy')]),
    { key: origin.key, max: limits.originRequestsMax, refusal: 'origin_busy' },
    { key: allKey, max: limits.requestsMax, refusal: 'full' },
  ];
};
