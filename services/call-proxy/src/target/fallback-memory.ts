import type { Call } from '../call.ts';
import { findFallback } from '../fallback.ts';

/** Long enough for a flood to a dead agent to cost one look-up and no more, short enough that nobody hears of an agent long gone. */
const keptMs = 5_000;
const keptMax = 1_000;

/** Suggestions for the callers of agents that are not tried now, each looked up once for a while. */
export type FallbackMemory = { of(call: Call): Promise<string | null> };

export function createFallbackMemory(now: () => number = () => performance.now()): FallbackMemory {
  // In the order of their making, which is that of their end.
  const kept = new Map<string, { until: number; agentId: Promise<string | null> }>();
  const forgetOld = (at: number): void => {
    for (const [key, { until }] of kept) {
      if (until > at && kept.size < keptMax) return;
      kept.delete(key);
    }
  };
  return {
    of: (call) => {
      const { agentId, caller } = call.input;
      // What is suggested may differ by universe.
      const key = JSON.stringify([agentId, caller.universe]);
      const at = now();
      forgetOld(at);
      const known = kept.get(key);
      if (known !== undefined) return known.agentId;
      const found = findFallback(call);
      kept.set(key, { until: at + keptMs, agentId: found });
      return found;
    },
  };
}
