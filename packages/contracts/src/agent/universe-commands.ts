import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, positionText } from '../text.ts';
import { configurationField } from './configuration.ts';

/** Moves between the sandbox and production. `orgId` is that of the sandbox key that the gateway has authenticated. */

/** Moves a sandbox agent of the organisation into production. Refusals: agent_not_found, clone_paired, already_in_universe. */
export const publishAgent = unary('registry-write', 'publish_agent', {
  input: z.object({ agentId: z.string(), orgId: z.string(), actor }),
  output: z.object({ movedAt: z.string(), position: positionText }),
});

/** Moves a live agent of the organisation into its sandbox. Refusals: agent_not_found, clone_paired, already_in_universe. */
export const withdrawAgent = unary('registry-write', 'withdraw_agent', {
  input: z.object({ agentId: z.string(), orgId: z.string(), actor }),
  output: z.object({ movedAt: z.string(), position: positionText }),
});

/**
 * Copies a draft's configuration to the live agent that it is paired with (`liveAgentId` null: whichever that is). `fieldsCopied` are
 * all fields that promotion copies, also where both had the same value; every promotion is on record.
 * Refusals: agent_not_found, wrong_universe, not_a_confirmed_pair, capability_weights_exceeded, price_schedule_incomplete, org_domain_taken.
 */
export const promoteAgent = unary('registry-write', 'promote_agent', {
  input: z.object({ sandboxAgentId: z.string(), liveAgentId: nullableText, orgId: z.string(), actor }),
  output: z.object({
    liveAgentId: z.string(),
    fieldsCopied: z.array(z.union([configurationField, z.literal('orgDomain')])),
    promotedAt: z.string(),
    position: positionText,
  }),
});
