import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { positionText } from '../text.ts';
import { trustPolicyData } from './events.ts';

/**
 * Puts a trust policy in force. Only for the command that has built the read models for it, at the moment of their switch.
 * Refusals: validation_failed, trust_policy_active, trust_policy_name_taken, trust_policy_outdated.
 */
export const activateTrustPolicy = unary('registry-write', 'activate_trust_policy', {
  input: z.object({
    policy: trustPolicyData,
    /** Number of activated policies when the read models were built; if it has grown since, they are outdated. */
    activationsBefore: z.number().int().nonnegative(),
    /** Who asked for it; absent for the command line, which only knows that it is an operator's. */
    actor: actor.optional(),
  }),
  output: z.object({ position: positionText, activatedAt: z.string() }),
});
