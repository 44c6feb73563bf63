import {
  DomainError,
  type knownPolicy,
  limits,
  type PolicyChoice,
  type TrustPolicyDocument,
} from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import {
  builtInPolicies,
  canonicalPolicy,
  parsePolicy,
  policyV1,
  type AnyTrustPolicy,
} from '@agent-trust/trust-policy';
import type { z } from 'zod';
import { policiesByName, readActivatedPolicies, readActivations } from '../projector/activated-policies.ts';

type Log = Pick<EventLog, 'readStream'>;

/** The policy that a request means, and those that the log has put in force. Refusals: trust_policy_not_found, trust_policy_name_taken. */
export async function choosePolicy(
  log: Log,
  choice: PolicyChoice,
): Promise<{ policy: AnyTrustPolicy; activated: AnyTrustPolicy[]; inForce: AnyTrustPolicy }> {
  const activated = await readActivatedPolicies(log);
  const inForce = activated.at(-1);
  if (inForce === undefined) throw new Error('there is always a trust policy');
  const known = policiesByName(activated);
  if (typeof choice === 'string') {
    const policy = known.get(choice);
    if (policy !== undefined) return { policy, activated, inForce };
    const names = [...known.keys()].slice(-limits.policiesListedMax).join(', ');
    throw new DomainError('trust_policy_not_found', `there is no trust policy "${choice}"; known are ${names}`);
  }
  const earlier = known.get(choice.name);
  if (earlier === undefined) return { policy: parsePolicy(choice), activated, inForce };
  if (canonicalPolicy(earlier) === canonicalPolicy(choice)) return { policy: earlier, activated, inForce };
  throw new DomainError(
    'trust_policy_name_taken',
    `the name "${choice.name}" belongs to a policy with other constants; choose another name`,
  );
}

type KnownPolicy = z.output<typeof knownPolicy> & { document: TrustPolicyDocument };

/** The policies that a name can mean: those that come with the registry, then those that were in force, the newest of them. */
export async function knownPolicies(log: Log): Promise<KnownPolicy[]> {
  const activations = await readActivations(log);
  const newest = new Map(activations.map((each) => [each.policy.name, each]));
  const inForce = activations.at(-1)?.policy.name ?? policyV1.name;
  const known = (policy: AnyTrustPolicy): KnownPolicy => {
    const { name } = policy;
    const { position = null, recordedAt = null } = newest.get(name) ?? {};
    return {
      name,
      inForce: name === inForce,
      builtIn: policy === builtInPolicies.get(name),
      activatedAt: recordedAt?.toISOString() ?? null,
      position: position === null ? null : String(position),
      document: documentOf(policy),
    };
  };
  // An old log may have put another policy in force under the name of one that comes with the registry now.
  const named = policiesByName(activations.map(({ policy }) => policy));
  const ofBuiltIn = [...builtInPolicies].map(([name, policy]) => named.get(name) ?? policy);
  const others = [...newest.values()]
    .filter(({ policy }) => !builtInPolicies.has(policy.name))
    .toSorted((a, b) => a.recordedAt.getTime() - b.recordedAt.getTime())
    .slice(-limits.policiesListedMax);
  return [...ofBuiltIn, ...others.map(({ policy }) => policy)].map(known);
}

/** A policy as it is written. */
const documentOf = (policy: AnyTrustPolicy): TrustPolicyDocument =>
  policy.formula === 'v1'
    ? policy
    : { ...policy, constants: { ...policy.constants, anchors: [...policy.constants.anchors] } };
