import { column, defineTable, type RowOf, type Rows } from '@agent-trust/projections';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { evidenceOf, trustEvidence, trustPairs } from '../trust-evidence/tables.ts';
import { universeKey } from '../universe-key.ts';

/** A review as the profile of its receiver shows it. Those made in a sandbox stay in that sandbox's view. */
export const ratings = defineTable({
  name: 'rating',
  columns: {
    position: 'bigint',
    transactionId: 'text',
    receiverAgentId: 'text',
    universe: 'text',
    callerAgentId: 'text',
    callerOrgDomain: 'text?',
    success: 'boolean',
    score: 'integer',
    reviewedAt: 'timestamptz',
    eventId: 'text',
    /** In production the number of the review among the agent's, from 0; in a sandbox its position. Both rise, review by review. */
    place: 'bigint',
    /** The number of the review among those of the same reviewer, from 0; null in a sandbox, as all that follows. */
    ordinal: 'integer?',
    /** When it counts as made, in milliseconds since the Unix epoch. */
    countedAt: 'double precision?',
    reviewerTrust: 'double precision?',
    reviewerRoots: column<Readonly<Record<string, number>> | null>('jsonb'),
  },
  key: ['position'],
  appendOnly: true,
  range: { group: 'receiverAgentId', order: 'place' },
});
export type RatingRow = RowOf<typeof ratings>;

type Reviewed = Extract<ProjectedRegistryEvent, { type: 'ExchangeReviewed' }>;
type Explained = Pick<RatingRow, 'place' | 'ordinal' | 'countedAt' | 'reviewerTrust' | 'reviewerRoots'>;

/** Comes after the evidence in the list: it numbers reviews as the evidence counted them. */
export const ratingsProjection: RegistryProjection = {
  name: 'ratings',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [ratings],
  readsFrom: [trustEvidence, trustPairs],
  reads: (event, wanted) => {
    if (event.type !== 'ExchangeReviewed') return;
    const { receiverAgentId, callerAgentId } = event.data;
    wanted.row(trustEvidence, receiverAgentId);
    wanted.row(trustPairs, receiverAgentId, callerAgentId);
  },
  apply: (event, rows) => {
    if (event.type !== 'ExchangeReviewed') return;
    const { transactionId, receiverAgentId, callerAgentId, universe, success, score, reviewer, reviewedAt } =
      event.data;
    rows.insert(ratings, {
      transactionId,
      receiverAgentId,
      callerAgentId,
      success,
      score,
      position: event.position,
      universe: universeKey(universe),
      callerOrgDomain: reviewer.orgDomain,
      reviewedAt: new Date(reviewedAt),
      eventId: event.eventId,
      ...(universe.kind === 'production' ? explained(event, rows) : unexplained(event)),
    });
  },
};

const unexplained = ({ position }: Reviewed): Explained => ({
  place: position,
  ordinal: null,
  countedAt: null,
  reviewerTrust: null,
  reviewerRoots: null,
});

const explained = ({ data }: Reviewed, rows: Rows): Explained => {
  const { receiverAgentId, callerAgentId, reviewer } = data;
  const scored = rows.get(trustEvidence, receiverAgentId);
  const pair = rows.get(trustPairs, receiverAgentId, callerAgentId);
  if (scored === undefined || pair === undefined) throw new Error(`the review of ${receiverAgentId} was not counted`);
  const evidence = evidenceOf(rows, scored);
  return {
    place: BigInt(evidence.reviewCount - 1),
    ordinal: pair.reviews - 1,
    countedAt: evidence.newestAt,
    reviewerTrust: reviewer.trustScore,
    reviewerRoots: reviewer.roots,
  };
};
