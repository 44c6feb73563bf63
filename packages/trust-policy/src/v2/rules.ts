import type { PolicyConstantsV2, TrustPolicyV2 } from '../policy/trust-policy-v2.ts';
import { compileRules, type Rules } from '../v1/rules.ts';

/** A v2 policy's constants and what follows from them. */
export type RulesV2 = Rules &
  PolicyConstantsV2 & {
    readonly anchorsByName: ReadonlySet<string>;
    /** The weight at which a voice is full. Three of them weigh as much as the prior, whatever `voices` is. */
    readonly fullVoiceWeight: number;
  };

/** The prior of an agent that was registered without an organisation's key, and of all agents that were. */
export const PRIOR_UNAFFILIATED = 40;
export const PRIOR_AFFILIATED = 75;

/** The record of an organisation without reviews, and the best that there is. */
export const RECORD_MAX = 75;

/** The rules of a policy, computed once: a policy must not change after its first score. */
export function rulesOfV2(policy: TrustPolicyV2): RulesV2 {
  const known = rulesByPolicy.get(policy);
  if (known !== undefined) return known;
  const { name, constants } = policy;
  const rules: RulesV2 = {
    ...compileRules(name, constants),
    ...constants,
    anchorsByName: new Set(constants.anchors),
    fullVoiceWeight: constants.strength / 3,
  };
  rulesByPolicy.set(policy, rules);
  return rules;
}

const rulesByPolicy = new WeakMap<TrustPolicyV2, RulesV2>();
