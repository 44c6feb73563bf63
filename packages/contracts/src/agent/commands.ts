import { z } from 'zod';
import { actor } from '../actor.ts';
import { capabilityCandidate } from '../capability/rpc.ts';
import { commandIds } from '../command-id.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';
import { agentContact, configurationField, configurationPatch } from './configuration.ts';
import { email } from './fields.ts';

/** The credential of a registration, authenticated by the gateway. */
export const registrationCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('organisation'), orgId: z.string(), orgName: z.string(), universe }),
  /** The admin credential; `verified: true` starts the agent verified, at 75. */
  z.object({ kind: z.literal('admin'), verified: z.boolean() }),
]);
export type RegistrationCredential = z.infer<typeof registrationCredential>;

/** Answers to a request for confirmation: yes or no for each submitted name, and the candidates as offered. */
const confirmationAnswers = {
  confirmations: z.record(z.string(), z.boolean()),
  candidateMatches: z.record(z.string(), z.string()),
};

/** Asks which close canonical names are meant; nothing was written. */
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
    ...commandIds,
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

/** Every valid credential of a request; the decider judges what they permit. */
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
    ...commandIds,
    actor,
  }),
  output: z.discriminatedUnion('outcome', [
    /** `position` is that of the agent's last event, an earlier one if nothing changed: a reader that has reached it sees the outcome. */
    z.object({ outcome: z.literal('updated'), universe, position: positionText }),
    confirmationRequest,
  ]),
});

/**
 * Replaces an agent's bearer key by its signature, which the gateway has verified with `publicKey`, or with a key that its domain publishes
 * (null). Refusal: invalid_credential, also if the agent's public key has changed since.
 */
export const rotateBySignature = unary('registry-write', 'rotate_by_signature', {
  input: z.object({ agentId: z.string(), newKeyHash: sha256Hex, publicKey: nullableText, actor }),
  output: z.object({ position: positionText }),
});

/**
 * Issues a claim link for an agent. `authority` is the requesting party, which the decider checks by the rules of POST /rotate.
 * Refusals: agent_not_found, contact_email_missing, invalid_rotation_credential, claim_by_owner_only, wrong_universe.
 */
export const issueClaim = unary('registry-write', 'issue_claim', {
  input: z.object({
    agentId: z.string(),
    claimTokenHash: sha256Hex,
    authority: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('organisation'), orgId: z.string(), universe }),
      z.object({ kind: z.literal('admin') }),
      z.object({ kind: z.literal('agent'), agentId: z.string() }),
      /** `unownedOnly`: agents of organisations are refused. */
      z.object({ kind: z.literal('uncredentialed'), unownedOnly: z.boolean() }),
    ]),
    actor,
  }),
  output: z.object({
    position: positionText,
    /** When the link expires, RFC 3339; null for never. */
    expiresAt: nullableText,
    /** Where to send a link that was requested without a credential; null if the requester may have it. */
    contactEmail: email.nullable(),
  }),
});
export type ClaimAuthority = z.infer<typeof issueClaim.input>['authority'];

/** Redeems a claim token for a new bearer key; exactly one of many concurrent redemptions succeeds. Refusal: invalid_claim_token. */
export const redeemClaim = unary('registry-write', 'redeem_claim', {
  input: z.object({ agentId: z.string(), claimTokenHash: sha256Hex, newKeyHash: sha256Hex, actor }),
  output: z.object({ position: positionText }),
});

/**
 * Moves a sandbox agent of the organisation (of the authenticated sandbox key) into production.
 * Refusals: agent_not_found, clone_paired, already_in_universe.
 */
export const publishAgent = unary('registry-write', 'publish_agent', {
  input: z.object({ agentId: z.string(), orgId: z.string(), actor }),
  output: z.object({ movedAt: z.string(), position: positionText }),
});

/** Moves a live agent of the organisation into its sandbox. Refusals: agent_not_found, clone_paired, already_in_universe. */
export const withdrawAgent = unary('registry-write', 'withdraw_agent', {
  input: z.object({ agentId: z.string(), orgId: z.string(), actor }),
  output: z.object({ movedAt: z.string(), position: positionText }),
});

/** By whom an agent is acted for, authenticated by the gateway. */
export const ownerAuthority = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('organisation'), orgId: z.string(), universe }),
  z.object({ kind: z.literal('agent'), agentId: z.string() }),
  z.object({ kind: z.literal('admin') }),
]);
export type OwnerAuthority = z.infer<typeof ownerAuthority>;

/**
 * Retires an agent for good; repeated, it answers as before. Refusals: agent_not_found, not_owner, wrong_universe, agent_suspended.
 */
export const retireAgent = unary('registry-write', 'retire_agent', {
  input: z.object({ agentId: z.string(), authority: ownerAuthority, actor }),
  output: z.object({ retiredAt: z.string(), position: positionText }),
});

/**
 * Copies a draft's configuration to its paired live agent, which `liveAgentId` may name. `fieldsCopied` also lists fields with equal values;
 * every promotion is recorded.
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
