import { z } from 'zod';
import { limits } from '../limits.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';
import { agentBlock } from './block.ts';
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

/** The agent of a bearer key's SHA-256, or null. */
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

/** An agent with its endpoint, for its owner or right after its registration. */
export const getOwnerAgent = unary('trust-projection', 'get_owner_agent', {
  input: z.object({ agentId: z.string(), universe, ...consistency }),
  output: z.object({ agent: ownerAgent.nullable() }),
});

/** What is needed to verify an agent's signature; null for an unregistered agent. */
export const findSignatureKey = unary('trust-projection', 'find_signature_key', {
  input: z.object({ agentId: z.string(), ...consistency }),
  output: z.object({
    signer: z
      .object({
        identity: agentIdentity,
        publicKey: nullableText,
        orgDomain: nullableText,
        /** Whether its organisation has proved the org_domain. */
        domainVerified: z.boolean(),
        /** Agents with the same org_domain, including this one; 0 without an org_domain, or with a publicKey, which takes precedence. */
        agentsOfDomain: z.number(),
      })
      .nullable(),
  }),
});

/**
 * A page of an organisation's agents in one universe, routable or not, by agent_id. It begins after the agent `after` (null: at the
 * beginning) and skips `offset` agents. Only a page from the beginning has the `total` of all agents.
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
 * How a sandbox draft would rank in production for the required capabilities (null: its own; none: by its record alone), among verified
 * live agents with a trust_score of 50 or more. Writes nothing. Refusal: agent_not_found.
 */
export const previewMatch = unary('trust-projection', 'preview_match', {
  input: z.object({
    orgId: z.string(),
    sandboxAgentId: z.string(),
    requiredCapabilities: z.array(z.string()).nullable(),
    settlementRail: z.array(z.string()).nullable(),
    /** Number of best agents to show; the draft is always included. */
    resultsMax: z.number(),
    /** The part of them to answer, for a listing that is read in parts. */
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

/**
 * A page of routable agents, trust_score descending, then agent_id ascending. With an `agentIdPrefix` those whose id begins so, whatever the
 * case of its letters A to Z, of which there are at most `limits.registryNamedMax`: the most trusted.
 */
export const listRegistry = unary('trust-projection', 'list_registry', {
  input: z.object({
    universe,
    limit: z.number(),
    offset: z.number(),
    minTrustScore: z.number(),
    agentIdPrefix: nullableText.default(null),
  }),
  output: z.object({ agents: z.array(publicAgent), total: z.number() }),
});

/**
 * Agents that satisfy every filter present, best match first. Capability names are in normal form. `build` identifies the read model's build
 * of the positions: after a replay an agent may look different at the same position.
 */
export const matchAgents = unary('trust-projection', 'match_agents', {
  input: z.object({
    universe,
    requiredCapabilities: z.array(z.string()).nullable(),
    settlementRail: z.array(z.string()).nullable(),
    orgName: nullableText,
    messageProtocol: messageProtocol.nullable(),
    /** Whether only agents are wanted whose liveness says that they answer. */
    live: z.boolean().default(false),
    limit: z.number(),
    /** Best matches to skip, for a listing that is read in parts. */
    offset: z.number(),
    /** Who asks, as an id: clients take turns at what is costly. */
    client: z.string(),
  }),
  output: z.object({ build: z.string(), reasons: z.array(matchReason), matches: z.array(rankedMatch) }),
});

/** The public fields of agents with the position of their last change, in no order, without agents that the universe does not see. */
export const getShownAgents = unary('trust-projection', 'get_shown_agents', {
  input: z.object({
    agentIds: z.array(z.string()).max(limits.matchPageMax),
    universe,
    /** For ranked agents, in the order of the ids: their `changedPosition` in the ranking. Each is shown as it was then. */
    positions: z.array(positionText).nullable().default(null),
  }),
  output: z.object({
    build: z.string(),
    agents: z.array(z.object({ agent: publicAgent, changedPosition: positionText })),
  }),
});

/** Where and how to reach an agent; for the proxies alone. */
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
        /** The organisation that vouches for the agent; null for an anonymously registered agent. */
        orgId: nullableText.default(null),
        /** Nothing is sent to an agent that has one. */
        block: agentBlock.nullable().default(null),
      })
      .nullable(),
  }),
});
export type CallTarget = NonNullable<z.infer<typeof getCallTarget.output>['target']>;

/** The best other routable agent of the same universe with the agent's main capability, to suggest after a failed call. */
export const getFallbackAgent = unary('trust-projection', 'get_fallback_agent', {
  input: z.object({ agentId: z.string(), universe }),
  output: z.object({ agentId: nullableText }),
});
