import type { AnyTrustPolicy, PolicyPriors } from '@agent-trust/trust-policy';

/** The value of a constant; of `priors` null where they are left to the agents' registrations. */
export type ConstantValue = number | string | string[] | PolicyPriors | null;

/** One thing in which two policies differ. */
export type PolicyChange = {
  /** Its name in a policy's file: `constants.strength`, `priors`, `formula`. */
  constant: string;
  before: ConstantValue;
  after: ConstantValue;
  /** The first policy with this one thing of the second; null between formulas, where nothing can be changed alone. */
  alone: AnyTrustPolicy | null;
};

/**
 * The differences between two policies, in the order of their file. Priors are one thing: an agent has only one of them. Constants that only one of
 * the two has come with its formula, and are not named.
 */
export function policyChanges(from: AnyTrustPolicy, to: AnyTrustPolicy): PolicyChange[] {
  const isOneFormula = from.formula === to.formula;
  const [constantsBefore, constantsAfter] = [constantsOf(from), constantsOf(to)];
  const changes: PolicyChange[] = isOneFormula
    ? []
    : [{ constant: 'formula', before: from.formula, after: to.formula, alone: null }];
  for (const [name, before] of constantsBefore) {
    const after = constantsAfter.get(name);
    if (after === undefined || JSON.stringify(before) === JSON.stringify(after)) continue;
    const alone = { ...from, constants: { ...from.constants, [name]: after } } as AnyTrustPolicy;
    changes.push({ constant: `constants.${name}`, before, after, alone: isOneFormula ? alone : null });
  }
  const [before, after] = [from.priors, to.priors];
  if (before?.verified === after?.verified && before?.unverified === after?.unverified) return changes;
  const alone = { ...from, priors: after } as AnyTrustPolicy;
  return [...changes, { constant: 'priors', before, after, alone: isOneFormula ? alone : null }];
}

const constantsOf = ({ constants }: AnyTrustPolicy): ReadonlyMap<string, ConstantValue> =>
  new Map(Object.entries(constants) as [string, ConstantValue][]);
