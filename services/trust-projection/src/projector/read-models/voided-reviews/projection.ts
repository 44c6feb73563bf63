import { production } from '@agent-trust/contracts';
import { defineTable, type RowOf, type Rows } from '@agent-trust/projections';
import { type RatingRow, ratings } from '../ratings/projection.ts';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

/** A review that the operator has voided. */
export const voidedReviews = defineTable({
  name: 'voided_review',
  columns: {
    /** Of the review in the log. */
    position: 'bigint',
    receiverAgentId: 'text',
    callerAgentId: 'text',
    place: 'bigint',
    ordinal: 'integer',
    success: 'boolean',
    voidedPosition: 'bigint',
  },
  key: ['position'],
  range: { group: 'receiverAgentId', order: 'place' },
});
export type VoidedReview = RowOf<typeof voidedReviews>;
type Voided = Extract<ProjectedRegistryEvent, { type: 'ReviewsVoided' }>;

/** All places: those of sandboxes are positions, and no log has as many. */
const everyPlace = Number.MAX_SAFE_INTEGER;
const ofProduction = universeKey(production);

/** Comes before the evidence in the list, which counts without these reviews from their event on. */
export const voidedReviewsProjection: RegistryProjection = {
  name: 'voided-reviews',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [voidedReviews],
  readsFrom: [ratings],
  reads: (event, wanted) => {
    if (event.type !== 'ReviewsVoided') return;
    wanted.range(ratings, event.data.agentId, everyPlace);
    wanted.range(voidedReviews, event.data.agentId, everyPlace);
  },
  apply: (event, rows) => {
    if (event.type !== 'ReviewsVoided') return;
    const voidedNow = reviewsVoidedNow(event, rows);
    for (const rating of countedRatings(rows, event.data.agentId)) {
      const { position, receiverAgentId, callerAgentId, place, ordinal, success } = rating;
      if (!voidedNow.has(position)) continue;
      const voidedPosition = event.position;
      rows.put(voidedReviews, { position, receiverAgentId, callerAgentId, place, ordinal, success, voidedPosition });
    }
  },
};

/** A review of production, the only kind that counts for a score. */
export type CountedRating = RatingRow & {
  [Property in 'ordinal' | 'countedAt' | 'reviewerTrust' | 'reviewerRoots']: NonNullable<RatingRow[Property]>;
};

const isCounted = (rating: Readonly<RatingRow>): rating is CountedRating => rating.universe === ofProduction;

/** At an event that voids reviews of the agent: all its reviews of production, oldest first. */
export function countedRatings(rows: Pick<Rows, 'selectRange'>, agentId: string): CountedRating[] {
  return rows.selectRange(ratings, agentId, everyPlace).filter(isCounted);
}

/** At such an event: the positions of its reviews that are void. */
export function voidedPositions(rows: Pick<Rows, 'selectRange'>, agentId: string): ReadonlySet<bigint> {
  return new Set(rows.selectRange(voidedReviews, agentId, everyPlace).map(({ position }) => position));
}

/** Before the event is applied: the positions of the reviews that it voids; none if all that it names were void before. */
export function reviewsVoidedNow(event: Voided, rows: Pick<Rows, 'selectRange'>): ReadonlySet<bigint> {
  const { agentId, transactionIds } = event.data;
  const named = new Set(transactionIds);
  const before = voidedPositions(rows, agentId);
  const found = countedRatings(rows, agentId).filter(
    ({ position, transactionId }) => named.has(transactionId) && !before.has(position),
  );
  return new Set(found.map(({ position }) => position));
}

/** The reviews that the present event has voided; none if all that it names were void before. */
export function voidedBy(event: Voided, rows: Pick<Rows, 'selectRange'>): Readonly<VoidedReview>[] {
  const all = rows.selectRange(voidedReviews, event.data.agentId, everyPlace);
  return all.filter(({ voidedPosition }) => voidedPosition === event.position);
}
