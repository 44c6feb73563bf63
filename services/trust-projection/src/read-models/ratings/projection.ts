import { anyTable, defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

/** A review as the profile of its receiver shows it. Those made in a sandbox stay in that sandbox's view. */
export type RatingRow = {
  position: bigint;
  transactionId: string;
  receiverAgentId: string;
  universe: string;
  callerAgentId: string;
  callerOrgDomain: string | null;
  success: boolean;
  score: number;
  reviewedAt: Date;
};

export const ratings = defineTable<RatingRow>({
  name: 'rating',
  columns: {
    position: 'bigint',
    transactionId: 'text',
    receiverAgentId: 'text',
    universe: 'text',
    callerAgentId: 'text',
    callerOrgDomain: 'text',
    success: 'boolean',
    score: 'integer',
    reviewedAt: 'timestamptz',
  },
  key: ['position'],
  appendOnly: true,
});

export const ratingsProjection: RegistryProjection = {
  name: 'ratings',
  tables: [anyTable(ratings)],
  reads: () => undefined,
  apply: (event, rows) => {
    if (event.type !== 'ExchangeReviewed') return;
    const { transactionId, receiverAgentId, callerAgentId, universe, reviewer, success, score, reviewedAt } =
      event.data;
    rows.insert(ratings, {
      position: event.position,
      transactionId,
      receiverAgentId,
      universe: universeKey(universe),
      callerAgentId,
      callerOrgDomain: reviewer.orgDomain,
      success,
      score,
      reviewedAt: new Date(reviewedAt),
    });
  },
};
