import { type Actor, actor, trustPolicyDocument } from '@agent-trust/contracts';
import { parsePolicy, type AnyTrustPolicy } from '@agent-trust/trust-policy';
import { z } from 'zod';

/** An activation that an admin has asked an instance for; its process gets it in its environment. */
export type RequestedActivation = { replayId: string; policy: AnyTrustPolicy; actor: Actor };

const requested = z.object({ replayId: z.string(), policy: trustPolicyDocument, actor });

/** The variables of the process of an activation. */
export function activationVariables(activation: RequestedActivation): { ACTIVATION: string } {
  return { ACTIVATION: JSON.stringify(activation) };
}

/** The activation that this process was started for; null for the command line. */
export function requestedActivation({ ACTIVATION: text }: NodeJS.ProcessEnv): RequestedActivation | null {
  if (text === undefined || text === '') return null;
  const activation = requested.parse(JSON.parse(text));
  return { ...activation, policy: parsePolicy(activation.policy) };
}
