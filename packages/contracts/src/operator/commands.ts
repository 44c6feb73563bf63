import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { moment, positionText, sha256Hex } from '../text.ts';

/**
 * What the operator does to agents and organisations. Each may be repeated: it then changes nothing, and answers what holds. Refusals: agent_not_found,
 * organisation_not_found.
 */

/** `reason` and `suspendedAt` of the answer are those of the suspension that holds, which an earlier command may have begun. */
export const suspendAgent = unary('registry-write', 'suspend_agent', {
  input: z.object({ agentId: z.string(), reason: z.string(), actor }),
  output: z.object({ reason: z.string(), suspendedAt: z.string(), position: positionText }),
});

export const reinstateAgent = unary('registry-write', 'reinstate_agent', {
  input: z.object({ agentId: z.string(), reason: z.string(), actor }),
  output: z.object({ position: positionText }),
});

/** `organisation` is an id or a name. */
const ofOrganisation = { organisation: z.string(), reason: z.string(), actor };
const found = { orgId: z.string(), orgName: z.string() };

/** `reason` and `disabledAt` of the answer are those that hold, by this command or an earlier one. */
export const disableOrganisation = unary('registry-write', 'disable_organisation', {
  input: z.object(ofOrganisation),
  output: z.object({ ...found, reason: z.string(), disabledAt: z.string(), position: positionText }),
});

export const enableOrganisation = unary('registry-write', 'enable_organisation', {
  input: z.object(ofOrganisation),
  output: z.object({ ...found, position: positionText }),
});

/** Replaces both keys of an organisation, also of a disabled one. Repeated, it replaces them again. */
export const reissueOrganisationKeys = unary('registry-write', 'reissue_organisation_keys', {
  input: z.object({ ...ofOrganisation, productionKeyHash: sha256Hex, sandboxKeyHash: sha256Hex }),
  output: z.object({ ...found, reissuedAt: z.string(), position: positionText }),
});

const ids = z.array(z.string()).nullable();
/** Reviews that meet each of these that is not null; `reviewedUntil` is exclusive. */
const reviewSelection = z.object({
  transactionIds: ids,
  reviewerAgentIds: ids,
  agentIds: ids,
  reviewedFrom: z.string().nullable(),
  reviewedUntil: z.string().nullable(),
});

export const selectedReview = z
  .object({
    transactionId: z.string().describe('The exchange that was reviewed.'),
    agentId: z.string().describe('The reviewed agent.'),
    reviewerAgentId: z.string().describe('Who reviewed it.'),
    success: z.boolean().describe('Whether the reviewer got the requested result.'),
    score: z.int().describe('1, very bad, to 10, excellent.'),
    reviewedAt: moment('When'),
  })
  .meta({ id: 'SelectedReview', description: 'A review that was selected to be voided.' });

export type SelectedReview = z.infer<typeof selectedReview>;

const selectedReviews = {
  /** Oldest first. */
  reviews: z.array(selectedReview),
  /** Those that are selected besides. */
  remaining: z.number(),
};

/** The first `limit` selected reviews of production that are not void, of the agents and exchanges that there are. */
export const selectReviews = unary('trust-projection', 'select_reviews', {
  input: z.object({ selection: reviewSelection, limit: z.number() }),
  output: z.object(selectedReviews),
});

/** Takes them out of the scores. `position` is null if there was none. Repeated, it goes on with those that remain. */
export const voidReviews = unary('registry-write', 'void_reviews', {
  input: z.object({ selection: reviewSelection, reason: z.string(), actor }),
  output: z.object({ ...selectedReviews, position: positionText.nullable() }),
});
