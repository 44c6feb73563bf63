import { trustPolicyStream } from '@agent-trust/contracts';
import type { EventLog, RecordedEvent } from '@agent-trust/event-log';
import { type AnyTrustPolicy, builtInPolicies, parsePolicy, policyV1 } from '@agent-trust/trust-policy';
import { decodeRegistryEvent } from './read-models/registry-event.ts';

/** A policy that was put in force, and when. */
export type PolicyActivationRecord = { policy: AnyTrustPolicy; position: bigint; recordedAt: Date };

/** The activations of the log, oldest first. */
export async function readActivations(log: Pick<EventLog, 'readStream'>): Promise<PolicyActivationRecord[]> {
  const recorded = await log.readStream(trustPolicyStream);
  return recorded.map((each) => ({ policy: policyOf(each), position: each.position, recordedAt: each.recordedAt }));
}

/** The policies that the log has put in force, oldest first. The first is the built-in one that every log begins with. */
export async function readActivatedPolicies(log: Pick<EventLog, 'readStream'>): Promise<AnyTrustPolicy[]> {
  return [policyV1, ...(await readActivations(log)).map(({ policy }) => policy)];
}

const policyOf = (recorded: RecordedEvent): AnyTrustPolicy => {
  const event = decodeRegistryEvent(recorded);
  if (event.type !== 'TrustPolicyActivated') {
    throw new Error(
      `${recorded.type} at position ${recorded.position} does not belong to the stream of trust policies`,
    );
  }
  return parsePolicy(event.data.policy);
};

/** The policies that a name can mean: those that come with the registry, and those that the log has put in force. */
export function policiesByName(activated: readonly AnyTrustPolicy[]): ReadonlyMap<string, AnyTrustPolicy> {
  return new Map([...builtInPolicies, ...activated.map((policy) => [policy.name, policy] as const)]);
}
