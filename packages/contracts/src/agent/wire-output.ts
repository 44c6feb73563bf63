import { z } from 'zod';
import { limits } from '../limits.ts';
import { nullableText } from '../text.ts';
import { onWire, toWire } from '../wire-form.ts';
import { fieldTexts } from './field-texts.ts';
import { payloadSchema } from './fields.ts';
import { matchParts, matchPartsOf } from './match-parts.ts';
import {
  type MatchedAgent,
  matchFields,
  type MatchReason,
  matchReason,
  type OwnerAgent,
  ownerFields,
  type OwnerProfiledAgent,
  type ProfiledAgent,
  profiledAgent,
  type PublicAgent,
  publicAgent,
  type RankedMatch,
  type RatingRecord,
  ratingRecord,
} from './views.ts';

/** The wire's form of what the registry knows of an agent. */

const shownAgent = publicAgent.omit({ payable: true, registeredAt: true, lastTransactionAt: true });
const shownFields = onWire(shownAgent).shape;

const publicRouting = shownFields.routing
  .extend({ pay_via: nullableText.describe('Address of the pay proxy, if the agent accepts x402.') })
  .meta({ id: 'PublicRouting', description: 'How to deal with an agent; its address is not disclosed.' });

const { endpoint_url, is_sandbox, related_agent_id } = onWire(z.object(ownerFields)).shape;
const ownerRouting = publicRouting
  .extend({ endpoint_url })
  .meta({ id: 'OwnerRouting', description: 'How to deal with an agent, and its address.' });

export const trustObject = z
  .object({
    ...shownFields,
    routing: publicRouting,
    payload_schema: payloadSchema.nullable().describe(fieldTexts.payload_schema),
  })
  .meta({ id: 'TrustObject', description: 'What anybody may know of an agent, and how far it can be trusted.' });
export type TrustObject = z.infer<typeof trustObject>;

const ownerShape = { routing: ownerRouting, is_sandbox, related_agent_id };
export const ownerTrustObject = trustObject
  .extend(ownerShape)
  .meta({ id: 'OwnerTrustObject', description: 'A trust object with what its owner alone may know.' });
export type OwnerTrustObject = z.infer<typeof ownerTrustObject>;

const ranking = z.object(matchFields);
export const matchResult = trustObject
  .extend({ ...onWire(ranking).shape, match_parts: matchParts })
  .meta({ id: 'MatchResult', description: 'A trust object with its place in the ranking.' });
export type MatchResult = z.infer<typeof matchResult>;

const profileFields = profiledAgent.pick({ contactInfo: true, registeredAt: true, lastTransactionAt: true });

export const agentProfile = trustObject
  .extend({
    ...onWire(profileFields).shape,
    ratings_received: z
      .array(onWire(ratingRecord))
      .describe(`The newest ${limits.ratingsShownMax} ratings, newest first.`),
  })
  .meta({ id: 'AgentProfile', description: 'A trust object with the ratings that the agent received.' });
export type AgentProfile = z.infer<typeof agentProfile>;

/** The profile with what its owner knows besides: routing in the owner's form, universe and pair. */
export const ownerAgentProfile = agentProfile
  .extend(ownerShape)
  .meta({ id: 'OwnerAgentProfile', description: 'A profile with what its owner alone may know.' });

/** `{base_url}/pay/{agent_id}`, the address that takes the place of an endpoint in everything about payments. */
export function payViaUrl(baseUrl: string, agentId: string): string {
  return `${baseUrl}/pay/${encodeURIComponent(agentId)}`;
}

export function trustObjectToWire(agent: PublicAgent, baseUrl: string): TrustObject {
  const shown = toWire(shownAgent, agent);
  return {
    ...shown,
    routing: { ...shown.routing, pay_via: agent.payable ? payViaUrl(baseUrl, agent.agentId) : null },
  };
}

export function ownerTrustObjectToWire(agent: OwnerAgent, baseUrl: string): OwnerTrustObject {
  const open = trustObjectToWire(agent, baseUrl);
  return {
    ...open,
    routing: { ...open.routing, endpoint_url: agent.endpointUrl },
    is_sandbox: agent.isSandbox,
    related_agent_id: agent.relatedAgentId,
  };
}

export function matchResultToWire({ agent, matchParts: values, ...match }: MatchedAgent, baseUrl: string): MatchResult {
  const match_parts = matchPartsOf(values, match.matchScore);
  return { ...trustObjectToWire(agent, baseUrl), ...toWire(ranking, match), match_parts };
}

/** The JSON of a reason, for `matchResultText`. */
export function matchReasonText(reason: MatchReason): string {
  return JSON.stringify(toWire(matchReason, reason));
}

/**
 * The JSON of what `matchResultToWire` answers, made from the JSON of the trust object and of the reasons, which many results share: the
 * object continues where the trust object ends.
 */
export function matchResultText(
  trustObjectText: string,
  { matchScore, matchParts: values }: Pick<RankedMatch, 'matchScore' | 'matchParts'>,
  reasonTexts: readonly (string | undefined)[],
): string {
  const parts = JSON.stringify(matchPartsOf(values, matchScore));
  return `${trustObjectText.slice(0, -1)},"match_score":${matchScore},"match_reasons":[${reasonTexts.join(',')}],"match_parts":${parts}}`;
}

export function agentProfileToWire(agent: ProfiledAgent, ratings: RatingRecord[], baseUrl: string): AgentProfile {
  return {
    ...trustObjectToWire(agent, baseUrl),
    ...toWire(profileFields, agent),
    ratings_received: ratings.map((rating) => toWire(ratingRecord, rating)),
  };
}

export function ownerAgentProfileToWire(
  agent: OwnerProfiledAgent,
  ratings: RatingRecord[],
  baseUrl: string,
): z.infer<typeof ownerAgentProfile> {
  return { ...agentProfileToWire(agent, ratings, baseUrl), ...ownerTrustObjectToWire(agent, baseUrl) };
}
