import type { ExplainedReview, RatingRecord } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { AgentLink } from '../../ui/agent-link.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { countedText } from './counted-text.ts';
import { ReceiptCheck } from '../../proof/receipt-check.tsx';

export type ReviewsProps = {
  reviews: readonly ExplainedReview[];
  /** Of all pages. */
  total: number | null;
  ratings: readonly RatingRecord[];
  agentId: string;
};

/** The reviews, newest first, each with whether it counts and a receipt that the browser can check. */
export function Reviews({ reviews, total, ratings, agentId }: ReviewsProps): ReactElement {
  const [checked, setChecked] = useState<string | null>(null);
  const ratingOf = new Map(ratings.map((rating) => [rating.transaction_id, rating]));
  if (reviews.length === 0)
    return (
      <Section title="Reviews">
        <Empty>No reviews yet. A caller may review each completed call once.</Empty>
      </Section>
    );
  return (
    <Section title="Reviews">
      <DataTable
        caption={`The newest ${reviews.length} of ${total ?? reviews.length} reviews`}
        columns={[
          {
            head: 'Reviewer',
            cell: ({ reviewer_agent_id: reviewer }) => <AgentLink agentId={reviewer} />,
          },
          { head: 'When', cell: ({ reviewed_at: at }) => <Ago at={at} /> },
          { head: 'Score', cell: (review) => scoreText(ratingOf.get(review.transaction_id)), isNumber: true },
          { head: 'Weight', cell: ({ weight }) => weight.toFixed(2), isNumber: true },
          { head: 'Counted', cell: countedText },
          {
            head: 'Answer',
            cell: (review) => <Foreign text={ratingOf.get(review.transaction_id)?.answer?.text ?? '–'} />,
          },
          {
            head: 'Receipt',
            cell: ({ transaction_id: id }) => (
              <button type="button" className="small" onClick={() => setChecked(id)}>
                Check<span className="visually-hidden"> the receipt of exchange {id}</span>
              </button>
            ),
          },
        ]}
        rows={reviews}
        keyOf={({ event_id: id }) => id}
      />
      <Dialog title="Receipt of a review" place="side" isOpen={checked !== null} onClose={() => setChecked(null)}>
        {checked !== null && <ReceiptCheck agentId={agentId} transactionId={checked} />}
      </Dialog>
    </Section>
  );
}

const scoreText = (rating: RatingRecord | undefined): string =>
  rating === undefined ? '–' : `${rating.score} of 10, ${rating.success ? 'success' : 'failure'}`;
