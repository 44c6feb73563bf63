import { z } from 'zod';
import { actor } from '../actor.ts';
import { capabilityCandidate } from '../capability/rpc.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';
import { agentContact, configurationField, configurationPatch } from './configuration.ts';
import { email } from './fields.ts';

/**
 * Makes a command that is repeated find its first outcome: the ids of its events are derived from this one. Null for a command that
 * may be given again.
 */
const idempotency = { commandId: z.uuid().nullable() };

/** Whose word a registration stands on; the gateway has authenticated it. */
export const registrationCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('organisation'), orgId: z.string(), orgName: z.string(), universe }),
  /** The admin credential; `verified: true` starts the agent verified, at 75. */
  z.object({ kind: z.literal('admin'), verified: z.boolean() }),
]);
export type RegistrationCredential = z.infer<typeof registrationCredential>;

/** Answers to a request for confirmation: the submitted names with yes or no, and the candidates as they were offered. */
const confirmationAnswers = {
  confirmations: z.record(z.string(), z.boolean()),
  candidateMatches: z.record(z.string(), z.string()),
};

/** Asks which of the close canonical names are meant; nothing was written. */
export const confirmationRequest = z.object({
  outcome: z.literal('confirmation_required'),
  /** Submitted name → the best candidate. */
  candidateMatches: z.record(z.string(), z.string()),
  candidates: z.record(z.string(), z.array(capabilityCandidate)),
});
export type ConfirmationRequest = z.infer<typeof confirmationRequest>;

/**
 * Registers an agent. Without `cloneFromAgentId` what the configuration does not name takes the defaults of a registration; with it
 * the live agent's values. Refusals: agent_id_taken, org_domain_taken, org_fields_forbidden, sandbox_key_required, agent_not_found
 * (the live agent), already_paired, contact_required, capability_weights_exceeded, invalid_public_key, price_schedule_incomplete.
 */
export const registerAgent = unary('registry-write', 'register_agent', {
  input: z.object({
    agentId: z.string(),
    orgName: nullableText,
    orgDomain: nullableText,
    publicKey: nullableText,
    contact: agentContact,
    configuration: configurationPatch,
    cloneFromAgentId: nullableText,
    ...confirmationAnswers,
    credential: registrationCredential,
    claimTokenHash: sha256Hex,
    ...idempotency,
    actor,
  }),
  output: z.discriminatedUnion('outcome', [
    z.object({
      outcome: z.literal('registered'),
      agentId: z.string(),
      universe,
      registeredAt: z.string(),
      position: positionText,
    }),
    confirmationRequest,
  ]),
});

/** Every valid credential of a request; who may do what with them is the decider's to judge. */
export const updateCredentials = z.object({
  agentId: nullableText,
  organisation: z.object({ orgId: z.string(), orgName: z.string(), universe }).nullable(),
  admin: z.boolean(),
});
export type UpdateCredentials = z.infer<typeof updateCredentials>;

/**
 * Writes the fields of an agent that are present: absent (undefined) leaves a field as it is, null clears it. Refusals:
 * agent_not_found, not_owner, wrong_universe, org_fields_forbidden, sandbox_key_required, not_a_confirmed_pair, invalid_public_key,
 * capability_weights_exceeded, price_schedule_incomplete, org_domain_taken.
 */
export const updateAgent = unary('registry-write', 'update_agent', {
  input: z.object({
    agentId: z.string(),
    orgName: z.string().nullish(),
    orgDomain: z.string().nullish(),
    publicKey: z.string().nullish(),
    contact: agentContact.partial(),
    configuration: configurationPatch,
    pullFromAgentId: nullableText,
    ...confirmationAnswers,
    credentials: updateCredentials,
    ...idempotency,
    actor,
  }),
  output: z.discriminatedUnion('outcome', [
    /** `position` is that of the agent's last event, its own or, when nothing changed, an earlier one: whoever reads from there sees the outcome. */
    z.object({ outcome: z.literal('updated'), universe, position: positionText }),
    confirmationRequest,
  ]),
});

/**
 * Replaces an agent's bearer key on the word of its signature, which the gateway has checked. `publicKey` is the agent's own key that the
 * signature was checked with, or null when it was one that its domain publishes. Refusal: invalid_credential, also when the agent has
 * another public key by now.
 */
export const rotateBySignature = unary('registry-write', 'rotate_by_signature', {
  input: z.object({ agentId: z.string(), newKeyHash: sha256Hex, publicKey: nullableText, actor }),
  output: z.object({ position: positionText }),
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
  output: z.object({
    position: positionText,
    /** When the link ends, RFC 3339; null for one that does not. */
    expiresAt: nullableText,
    /** Where a link that was asked for without a credential may be sent; null for one that its asker may have. */
    contactEmail: email.nullable(),
  }),
});
export type ClaimAuthority = z.infer<typeof issueClaim.input>['authority'];

/** Redeems a claim token for a new bearer key; exactly one of many concurrent redemptions succeeds. Refusal: invalid_claim_token. */
export const redeemClaim = unary('registry-write', 'redeem_claim', {
  input: z.object({ agentId: z.string(), claimTokenHash: sha256Hex, newKeyHash: sha256Hex, actor }),
  output: z.object({ position: positionText }),
});

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
