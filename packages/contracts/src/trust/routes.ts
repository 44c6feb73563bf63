import { z } from 'zod';
import { exampleIds, exampleConfidence, exampleTrustObject } from '../agent/examples.ts';
import { pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId } from '../text.ts';
import { asOfQuery } from './as-of.ts';
import { onWire } from '../wire-form.ts';
import { explainedTrust, trustHistory } from './queries.ts';

export const explainedTrustWire = onWire(explainedTrust).meta({
  id: 'ExplainedTrust',
  description: 'A trust score with all its parts.',
});
export const trustHistoryWire = onWire(trustHistory).meta({
  id: 'TrustHistory',
  description: 'How a trust score developed.',
});

const exampleTrust: z.infer<typeof explainedTrustWire> = {
  agent_id: exampleIds.translator,
  trust_score: 78,
  flags: [],
  unrounded: 78.125,
  trust_policy: 'v1',
  as_of: { position: '4711', time: '2026-01-15T09:31:12.000Z' },
  basis: 'all',
  prior: 75,
  strength: 5,
  contributions: [
    { kind: 'prior', root: null, weight: 5, capped_weight: 5, mean: 0.75, points: 65.625 },
    { kind: 'root', root: 'acme.example', weight: 0.71875, capped_weight: 0.71875, mean: 1, points: 12.5 },
  ],
  confidence: exampleConfidence,
  reviews: [
    {
      event_id: '0199c2f4-7f00-7d3e-9c0b-5d1f2e3a4b5c',
      transaction_id: exampleIds.transaction,
      reviewer_agent_id: exampleIds.buyer,
      reviewed_at: '2026-01-15T09:31:12.000Z',
      success: true,
      score: 10,
      root_weights: { 'acme.example': 1 },
      weight: 0.71875,
      value: 1,
      counted: true,
      reason: null,
    },
  ],
  liveness: exampleTrustObject.liveness,
};

const exampleHistory: z.infer<typeof trustHistoryWire> = {
  agent_id: exampleIds.translator,
  history: [
    {
      at: '2025-11-03T08:00:00.000Z',
      position: '17',
      trust_score: 75,
      previous_score: null,
      trust_policy: 'v1',
      cause: { type: 'AgentRegistered', event_id: '0199c2f4-0a00-7d3e-9c0b-5d1f2e3a4b5c', transaction_id: null },
    },
    {
      at: '2026-01-15T09:31:12.000Z',
      position: '4711',
      trust_score: 78,
      previous_score: 75,
      trust_policy: 'v1',
      cause: {
        type: 'ExchangeReviewed',
        event_id: '0199c2f4-7f00-7d3e-9c0b-5d1f2e3a4b5c',
        transaction_id: exampleIds.transaction,
      },
    },
  ],
};

export const explainTrustRoute = route({
  method: 'GET',
  path: '/agent/{agent_id}/trust',
  operationId: 'explainTrust',
  summary: 'The parts of a trust score',
  description:
    'The score with all its parts: the start value, what each root adds, and each review with its weight, or why it does not count. ' +
    'The points of the contributions sum to unrounded exactly, which rounds to trust_score. Reviews come in pages, newest first: follow the Link header. ' +
    'With as_of the answer describes that moment.',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  params: z.object({ agent_id: agentId }),
  query: z.object({
    as_of: asOfQuery,
    ...pageQuery('Reviews', limits.trustReviewsPageMax, limits.trustReviewsPageDefault, limits.trustOffsetMax),
  }),
  answers: { 200: answer('The score, explained.', explainedTrustWire, exampleTrust, { headers: pageHeaders }) },
  errors: ['agent_not_found', 'read_model_behind'],
});

export const trustHistoryRoute = route({
  method: 'GET',
  path: '/agent/{agent_id}/trust/history',
  operationId: 'getTrustHistory',
  summary: 'Every change of a trust score, with its cause',
  description:
    'Each score with its start and the event that caused it, without reviews that left the rounded score unchanged. Oldest first, in pages: ' +
    'follow the Link header.',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  params: z.object({ agent_id: agentId }),
  query: z.object(
    pageQuery('Changes', limits.trustHistoryPageMax, limits.trustHistoryPageDefault, limits.trustOffsetMax),
  ),
  answers: { 200: answer('One page of changes.', trustHistoryWire, exampleHistory, { headers: pageHeaders }) },
  errors: ['agent_not_found'],
});

/** In the order of the OpenAPI document. */
export const trustRoutes: readonly Route[] = [explainTrustRoute, trustHistoryRoute];
