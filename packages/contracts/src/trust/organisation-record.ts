import { z } from 'zod';
import { fieldTexts } from '../agent/field-texts.ts';
import { limits } from '../limits.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableText, positionText } from '../text.ts';
import { asOf } from './as-of.ts';
import { trustConfidence } from '../agent/confidence.ts';
import { explainedReview, explainedTrust, trustContribution } from './queries.ts';

/** A record of an organisation, 0 to 75. */
const record = z.number().min(0).max(75);

export const recordReview = explainedReview
  .extend({
    agentId: z.string().describe('The agent that was reviewed.'),
    answersFor: nullableText.describe(
      'In a standing record: the agent of others that the organisation raised and answers for; null for a review of one of its own.',
    ),
    reason: z
      .enum([...explainedReview.shape.reason.unwrap().options, 'root_left_out'])
      .nullable()
      .describe('Why it is not part of the record: as for an agent, or because it is of the root that is left out.'),
    share: z.number().nullable().describe('Of an answer: the share of the review that the organisation answers for.'),
  })
  .meta({ id: 'RecordReview', description: "One review and its part in an organisation's record." });

const explained = {
  record: record.describe(
    'A multiple of 5 in the built-in policy, or 75: a good record earns nothing, a bad one costs.',
  ),
  unrounded: z.number().describe('Before it is rounded down.'),
  basis: explainedTrust.shape.basis.describe(
    'Whether it comes from all reviews, or from the recent ones, which are clearly worse.',
  ),
  leftOut: nullableText.describe(
    'The root that lowers it most, which is left out: nobody alone can stain an organisation. null for none.',
  ),
  contributions: z.array(trustContribution).describe('The prior of 75, then each root. Their points sum to unrounded.'),
  confidence: trustConfidence.describe('How sure it is.'),
  reviews: z.array(recordReview).describe('A page of the reviews, newest first.'),
  reviewsTotal: z.int().describe('How many reviews there are on all pages.'),
};

export const standingRecord = z
  .object(explained)
  .meta({ id: 'StandingRecord', description: 'A record with what the organisation answers for besides.' });

export const organisationVoucher = z
  .object({
    organisation: z
      .string()
      .describe('Another organisation, one of whose agents found an agent of this one good, by its org_id.'),
    since: z
      .object({
        position: positionText.describe('Place in the log of the first such review.'),
        eventId: z.string().describe('Its event.'),
      })
      .meta({ id: 'VouchedSince', description: 'The review by which an organisation first vouched.' }),
  })
  .meta({ id: 'OrganisationVoucher', description: 'An organisation that vouches for another.' });

export const organisationRecord = z.object({
  orgId: z.string().describe('The organisation.'),
  orgName: z.string().describe('Its name.'),
  trustPolicy: z.string().describe(fieldTexts.trust_policy),
  asOf: explainedTrust.shape.asOf,
  ...explained,
  established: z
    .boolean()
    .describe('Whether its praise counts in full: enough others vouch for it, and its standing record is good enough.'),
  vouchers: z
    .array(organisationVoucher)
    .describe(
      `The organisations that vouch for it, in the order in which they began: the first ${limits.recordVouchersShownMax}.`,
    ),
  vouchersTotal: z.int().describe('How many organisations vouch for it.'),
  standing: standingRecord
    .nullable()
    .describe(
      'The standing record, with a page of its reviews; null as long as it is the record, because the organisation answers for nobody.',
    ),
});
export type OrganisationRecord = z.infer<typeof organisationRecord>;

/** Refusals: organisation_not_found, no_organisation_records, validation_failed for a moment in the future. */
export const explainRecord = unary('trust-projection', 'explain_record', {
  input: z.object({ orgId: z.string(), asOf: asOf.nullable(), limit: z.number(), offset: z.number() }),
  output: organisationRecord,
});

export const recordChange = z
  .object({
    at: moment('When'),
    position: positionText.describe('Place in the log.'),
    record: record.describe('The record from then on.'),
    previousRecord: record.describe('The record before.'),
    standing: record.describe('The standing record from then on.'),
    previousStanding: record.describe('The standing record before.'),
    trustPolicy: z.string().describe(fieldTexts.trust_policy),
    cause: z
      .object({
        type: z.string().describe('Type of the event.'),
        eventId: z.string().describe('The event in the log.'),
        transactionId: nullableText.describe('The exchange that was reviewed, if one was.'),
      })
      .meta({ id: 'RecordChangeCause', description: 'What changed a record.' }),
  })
  .meta({ id: 'RecordChange', description: "One change of an organisation's record or standing record." });
export type RecordChange = z.infer<typeof recordChange>;

export const recordHistory = z.object({
  orgId: organisationRecord.shape.orgId,
  trustPolicy: organisationRecord.shape.trustPolicy,
  history: z
    .array(recordChange)
    .describe('A page of the changes under this policy, oldest first. Before the first both were 75.'),
});

/** The changes of an organisation's records under the policy in force. Refusals: organisation_not_found, no_organisation_records. */
export const getRecordHistory = unary('trust-projection', 'get_record_history', {
  input: z.object({ orgId: z.string(), limit: z.number(), offset: z.number() }),
  output: recordHistory.extend({ total: z.number() }),
});

export const foundOrganisation = z.object({
  orgId: z.string().describe('What names it everywhere.'),
  orgName: z.string().describe('Its name as it was given.'),
});

/** The organisation of a name, whatever its case. Refusal: organisation_not_found. */
export const findOrganisation = unary('trust-projection', 'find_organisation', {
  input: z.object({ orgName: z.string() }),
  output: foundOrganisation,
});
