import { admit } from '../../../rate-limit/sliding-window.ts';
import { tooMany } from '../../../rate-limit/rate-limiter.ts';
import { signatureEdgeLimits } from './limits.ts';

export type NonceAllowance = {
  /**
   * Counts one nonce of an agent and returns how to take that back.
   *
   * @throws HttpRefusal rate_limited, with Retry-After, when the agent has used as many as one may.
   */
  take(keyId: string): () => void;
};

const window = { countMax: signatureEdgeLimits.noncesPerAgentMax, windowMs: signatureEdgeLimits.nonceWindowMs };

/** How many nonces each agent may use at this gateway, so that none fills the store that all share. */
export function createNonceAllowance(now: () => number = Date.now): NonceAllowance {
  const taken = new Map<string, readonly number[]>();
  return {
    take: (keyId) => {
      const admission = admit(window, taken.get(keyId) ?? [], now());
      if (!admission.admitted) throw tooMany(window, admission.retryAfterMs);
      const [oldest] = taken.keys();
      if (!taken.has(keyId) && taken.size >= signatureEdgeLimits.countedAgentsMax && oldest !== undefined) {
        taken.delete(oldest);
      }
      taken.set(keyId, admission.admittedAt);
      return () => {
        const counted = taken.get(keyId);
        if (counted !== undefined) taken.set(keyId, counted.slice(0, -1));
      };
    },
  };
}
