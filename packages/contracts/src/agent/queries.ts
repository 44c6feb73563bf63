import { z } from 'zod';
import { limits } from '../limits.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';
import { messageProtocol } from './fields.ts';
import {
  agentIdentity,
  matchedAgent,
  matchReason,
  ownerAgent,
  ownerProfiledAgent,
  profiledAgent,
  publicAgent,
  rankedMatch,
  ratingRecord,
} from './views.ts';

/** With `atLeast` a query waits, bounded, until the live read model has reached that position; else `read_model_behind`. */
const consistency = { atLeast: positionText.optional() };

/** The agent behind a bearer key's SHA-256, or null. */
export const authenticateAgentKey = unary('trust-projection', 'authenticate_agent_key', {
  input: z.object({ keyHash: sha256Hex, ...consistency }),
  output: z.object({ agent: agentIdentity.nullable() }),
});

/** An agent as the public sees it from one universe. */
export const getAgent = unary('trust-projection', 'get_agent', {
  input: z.object({ agentId: z.string(), universe, ...consistency }),
  output: z.object({ agent: publicAgent.nullable() }),
});

/** An agent with its newest ratings. */
export const getAgentProfile = unary('trust-projection', 'get_agent_profile', {
  input: z.object({ agentId: z.string(), universe, ...consistency }),
  output: z.object({ agent: profiledAgent.nullable(), ratings: z.array(ratingRecord) }),
});

/** An agent with its endpoint, for whoever registered it or owns it. */
export const getOwnerAgent = unary('trust-projection', 'get_owner_agent', {
  input: z.object({ agentId: z.string(), universe, ...consistency }),
  output: z.object({ agent: ownerAgent.nullable() }),
});

/** What is needed to check an agent's signature; null for an agent that nobody registered. */
export const findSignatureKey = unary('trust-projection', 'find_signature_key', {
  input: z.object({ agentId: z.string(), ...consistency }),
  output: z.object({
    signer: z
      .object({
        identity: agentIdentity,
        publicKey: nullableText,
        orgDomain: nullableText,
        /** Agents that hold the same org_domain, this one among them; 0 without an org_domain, or with a publicKey, which goes before. */
        agentsOfDomain: z.number(),
      })
      .nullable(),
  }),
});

/**
 * A stretch of an organisation's agents in one universe, routable or not; agent_id ascending. It begins behind the agent `after` (null: at
 * the beginning) and leaves out `offset` agents from there. `total` counts all of them, on a stretch from the beginning alone.
 */
export const listOrgAgents = unary('trust-projection', 'list_org_agents', {
  input: z.object({
    orgId: z.string(),
    universe,
    after: nullableText,
    offset: z.number(),
    limit: z.number(),
  }),
  output: z.object({ agents: z.array(ownerAgent), total: z.number().nullable() }),
});

/** An organisation's own agent with its newest ratings; null also for an agent of anybody else. */
export const getOrgAgentProfile = unary('trust-projection', 'get_org_agent_profile', {
  input: z.object({ orgId: z.string(), agentId: z.string(), universe, ...consistency }),
  output: z.object({ agent: ownerProfiledAgent.nullable(), ratings: z.array(ratingRecord) }),
});

/**
 * How a sandbox draft would rank in production for the capabilities asked for (null: its own; none: by its record alone), among live
 * agents that are verified and trusted with caution at least. Writes nothing. Refusal: agent_not_found.
 */
export const previewMatch = unary('trust-projection', 'preview_match', {
  input: z.object({
    orgId: z.string(),
    sandboxAgentId: z.string(),
    requiredCapabilities: z.array(z.string()).nullable(),
    settlementRail: z.array(z.string()).nullable(),
    /** Best agents that are shown, the draft always among them. */
    resultsMax: z.number(),
    /** The stretch of those that is answered; for a listing that is read in parts. */
    limit: z.number(),
    offset: z.number(),
  }),
  output: z.object({
    draftRank: z.number(),
    total: z.number(),
    results: z.array(matchedAgent.extend({ isDraft: z.boolean() })),
    explanation: nullableText,
  }),
});

/** A page of routable agents, trust_score descending, then agent_id ascending. */
export const listRegistry = unary('trust-projection', 'list_registry', {
  input: z.object({ universe, limit: z.number(), offset: z.number(), minTrustScore: z.number() }),
  output: z.object({ agents: z.array(publicAgent), total: z.number() }),
});

/**
 * Agents that satisfy every filter present, best match first. Capability names arrive in normal form.
 *
 * `build` names the build of the read model that the positions are of: a replay may show the same position otherwise.
 */
export const matchAgents = unary('trust-projection', 'match_agents', {
  input: z.object({
    universe,
    requiredCapabilities: z.array(z.string()).nullable(),
    settlementRail: z.array(z.string()).nullable(),
    orgName: nullableText,
    messageProtocol: messageProtocol.nullable(),
    limit: z.number(),
    /** Matches left out from the best end; for a listing that is read in parts. */
    offset: z.number(),
  }),
  output: z.object({ build: z.string(), reasons: z.array(matchReason), matches: z.array(rankedMatch) }),
});

/** What may be shown of agents now, each with its last change, in no particular order; agents that are not seen from the universe are left out. */
export const getShownAgents = unary('trust-projection', 'get_shown_agents', {
  input: z.object({ agentIds: z.array(z.string()).max(limits.matchPageMax), universe }),
  output: z.object({
    build: z.string(),
    agents: z.array(z.object({ agent: publicAgent, changedPosition: positionText })),
  }),
});

/** What a review freezes of its reviewer. */
export const getReviewerStanding = unary('trust-projection', 'get_reviewer_standing', {
  input: z.object({ agentId: z.string() }),
  output: z.object({
    standing: z
      .object({
        universe,
        orgId: nullableText,
        orgDomain: nullableText,
        trustScore: z.number(),
        roots: z.record(z.string(), z.number()),
      })
      .nullable(),
  }),
});

/** Where and how to reach an agent; only the proxies may ask. */
export const getCallTarget = unary('trust-projection', 'get_call_target', {
  input: z.object({ agentId: z.string(), universe }),
  output: z.object({
    target: z
      .object({
        agentId: z.string(),
        endpointUrl: nullableText,
        messageProtocol,
        a2aCompliant: z.boolean(),
        httpMethods: z.array(z.string()).nullable(),
        payable: z.boolean(),
        /** The organisation that vouches for the agent; null for one that anybody may have registered. */
        orgId: nullableText.default(null),
      })
      .nullable(),
  }),
});
export type CallTarget = NonNullable<z.infer<typeof getCallTarget.output>['target']>;

/** The best other routable agent of the same universe with the agent's main capability, for when a call failed. */
export const getFallbackAgent = unary('trust-projection', 'get_fallback_agent', {
  input: z.object({ agentId: z.string(), universe }),
  output: z.object({ agentId: nullableText }),
});
