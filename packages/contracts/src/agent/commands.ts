import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';
import { agentConfiguration, agentContact } from './configuration.ts';

/** Whose word a registration stands on; the gateway has authenticated it. */
export const registrationCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('organisation'), orgId: z.string(), orgName: z.string(), universe }),
  /** The admin credential; `verified: true` starts the agent verified, at 75. */
  z.object({ kind: z.literal('admin'), verified: z.boolean() }),
]);
export type RegistrationCredential = z.infer<typeof registrationCredential>;

/** Registers an agent. Refusals: agent_id_taken, org_domain_taken, org_fields_forbidden, contact_required, capability_weights_exceeded, invalid_public_key, price_schedule_incomplete. */
export const registerAgent = unary('registry-write', 'register_agent', {
  input: z.object({
    agentId: z.string(),
    orgName: z.string().nullable(),
    orgDomain: z.string().nullable(),
    publicKey: z.string().nullable(),
    contact: agentContact,
    configuration: agentConfiguration,
    credential: registrationCredential,
    claimTokenHash: sha256Hex,
    actor,
  }),
  output: z.object({ agentId: z.string(), universe, registeredAt: z.string(), position: positionText }),
});

/**
 * Issues a claim link for an agent. `authority` says on whose word; the decider holds it to the rules of POST /rotate.
 * Refusals: agent_not_found, contact_email_missing, invalid_rotation_credential, wrong_universe.
 */
export const issueClaim = unary('registry-write', 'issue_claim', {
  input: z.object({
    agentId: z.string(),
    claimTokenHash: sha256Hex,
    authority: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('organisation'), orgId: z.string(), universe }),
      z.object({ kind: z.literal('admin') }),
      z.object({ kind: z.literal('agent'), agentId: z.string() }),
      z.object({ kind: z.literal('uncredentialed') }),
    ]),
    actor,
  }),
  output: z.object({ position: positionText }),
});
export type ClaimAuthority = z.infer<typeof issueClaim.input>['authority'];

/** Redeems a claim token for a new bearer key; exactly one of many concurrent redemptions succeeds. Refusal: invalid_claim_token. */
export const redeemClaim = unary('registry-write', 'redeem_claim', {
  input: z.object({ agentId: z.string(), claimTokenHash: sha256Hex, newKeyHash: sha256Hex, actor }),
  output: z.object({ position: positionText }),
});
