import { parsePolicy, type TrustPolicy } from '@agent-trust/trust-policy';
import { scoringByPolicy } from './by-policy.ts';
import type { Scoring } from './scoring.ts';

/** Control: one root domain may hold all weight. All else is the policy's. */
export function capSwitchedOff({ name, formula, constants, priors }: TrustPolicy): Scoring {
  return scoringByPolicy(
    parsePolicy({ name: `${name}-no-cap`, formula, constants: { ...constants, rootShareMax: 1 }, priors }),
  );
}
