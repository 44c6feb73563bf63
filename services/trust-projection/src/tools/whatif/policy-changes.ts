import type { PolicyPriors, TrustPolicy } from '@agent-trust/trust-policy';

/** One thing in which two policies differ. */
export type PolicyChange = {
  /** Its name in a policy's file: `constants.strength`, `priors`. */
  constant: string;
  /** `priors` is null where they are left to the agents' registrations. */
  before: number | PolicyPriors | null;
  after: number | PolicyPriors | null;
  /** The first policy with this one thing of the second. */
  alone: TrustPolicy;
};

/** The differences between two policies of one formula, in the order of their file. Priors are one thing: an agent has only one of them. */
export function policyChanges(from: TrustPolicy, to: TrustPolicy): PolicyChange[] {
  const names = Object.keys(from.constants) as (keyof TrustPolicy['constants'])[];
  const changes = names
    .filter((name) => from.constants[name] !== to.constants[name])
    .map((name): PolicyChange => {
      const after = to.constants[name];
      const alone = { ...from, constants: { ...from.constants, [name]: after } };
      return { constant: `constants.${name}`, before: from.constants[name], after, alone };
    });
  const samePriors = from.priors?.verified === to.priors?.verified && from.priors?.unverified === to.priors?.unverified;
  if (samePriors) return changes;
  const alone = { ...from, priors: to.priors };
  return [...changes, { constant: 'priors', before: from.priors, after: to.priors, alone }];
}
