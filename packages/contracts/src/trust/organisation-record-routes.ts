import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { orgName } from '../agent/fields.ts';
import { pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { text } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { asOfQuery } from './as-of.ts';
import { foundOrganisation, organisationRecord, recordHistory } from './organisation-record.ts';

export const organisationRecordWire = onWire(organisationRecord).meta({
  id: 'OrganisationRecord',
  description: 'The record of an organisation with all its parts.',
});
export const recordHistoryWire = onWire(recordHistory).meta({
  id: 'RecordHistory',
  description: 'How the record of an organisation developed.',
});
export const foundOrganisationWire = onWire(foundOrganisation).meta({
  id: 'FoundOrganisation',
  description: 'An organisation by its name.',
});

const exampleOrgId = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const otherOrgId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const exampleEvent = '0199c2f4-7f00-7d3e-9c0b-5d1f2e3a4b5c';

const exampleRecord: z.infer<typeof organisationRecordWire> = {
  org_id: exampleOrgId,
  org_name: 'Globex',
  trust_policy: 'v2',
  as_of: { position: '4711', time: '2026-01-15T09:31:12.000Z' },
  record: 75,
  unrounded: 75,
  basis: 'all',
  left_out: otherOrgId,
  contributions: [{ kind: 'prior', root: null, weight: 5, capped_weight: 5, mean: 0.75, points: 75 }],
  confidence: { evidence_weight: 0, roots: 0, interval: [45.9, 100] },
  reviews: [
    {
      event_id: exampleEvent,
      transaction_id: exampleIds.transaction,
      agent_id: exampleIds.translator,
      reviewer_agent_id: exampleIds.buyer,
      reviewed_at: '2026-01-15T09:31:12.000Z',
      success: false,
      score: 1,
      root_weights: { [otherOrgId]: 1 },
      weight: 1.125,
      value: 0,
      counted: false,
      reason: 'root_left_out',
      answers_for: null,
      share: null,
    },
  ],
  reviews_total: 1,
  established: false,
  vouchers: [],
  vouchers_total: 0,
  standing: null,
};

const exampleHistory: z.infer<typeof recordHistoryWire> = {
  org_id: exampleOrgId,
  trust_policy: 'v2',
  history: [
    {
      at: '2026-01-15T09:31:12.000Z',
      position: '4711',
      record: 65,
      previous_record: 75,
      standing: 65,
      previous_standing: 75,
      trust_policy: 'v2',
      cause: { type: 'ExchangeReviewed', event_id: exampleEvent, transaction_id: exampleIds.transaction },
    },
  ],
};

const params = z.object({ org_id: text(limits.orgNameCharsMax, 1).describe('Id of the organisation.') });
const read = {
  method: 'GET',
  tag: 'Discover',
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
} as const;

export const findOrganisationRoute = route({
  ...read,
  credentials: ['none', 'organisation'],
  path: '/organisation',
  operationId: 'findOrganisation',
  summary: 'Find an organisation by its name',
  description: 'Names are unique; case makes no difference. Agents show the org_id of their organisation, too.',
  query: z.object({ org_name: orgName.describe('Name of the organisation.') }),
  answers: { 200: answer('The organisation.', foundOrganisationWire, { org_id: exampleOrgId, org_name: 'Globex' }) },
  errors: ['organisation_not_found'],
});

export const organisationRecordRoute = route({
  ...read,
  credentials: ['none', 'organisation'],
  path: '/organisation/{org_id}/record',
  operationId: 'explainRecord',
  summary: 'The parts of the record of an organisation',
  description:
    'Under a trust policy of formula v2 an organisation answers for its agents: a record below 75 lowers the prior of all of them. Explained like the ' +
    'score of an agent, with the organisations that vouch for it, and its standing record, which decides whether its praise counts in full. Reviews come ' +
    'in pages, newest first: follow the Link header. With as_of the answer describes that moment.',
  params,
  query: z.object({
    as_of: asOfQuery,
    ...pageQuery('Reviews', limits.trustReviewsPageMax, limits.trustReviewsPageDefault, limits.trustOffsetMax),
  }),
  answers: { 200: answer('The record, explained.', organisationRecordWire, exampleRecord, { headers: pageHeaders }) },
  errors: ['organisation_not_found', 'no_organisation_records', 'read_model_behind'],
});

export const recordHistoryRoute = route({
  ...read,
  credentials: ['none', 'organisation'],
  path: '/organisation/{org_id}/record/history',
  operationId: 'getRecordHistory',
  summary: 'Every change of the record of an organisation, with its cause',
  description: 'Under the policy in force, oldest first, in pages: follow the Link header.',
  params,
  query: z.object(
    pageQuery('Changes', limits.trustHistoryPageMax, limits.trustHistoryPageDefault, limits.trustOffsetMax),
  ),
  answers: { 200: answer('One page of changes.', recordHistoryWire, exampleHistory, { headers: pageHeaders }) },
  errors: ['organisation_not_found', 'no_organisation_records'],
});

/** In the order of the OpenAPI document. */
export const organisationRecordRoutes: readonly Route[] = [
  findOrganisationRoute,
  organisationRecordRoute,
  recordHistoryRoute,
];
