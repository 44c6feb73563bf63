import type { ExplainedTrustPage, RatingRecord } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { AgentLink } from '../../ui/agent-link.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Empty, ErrorNote } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { countedText } from './counted-text.ts';
import { ReceiptCheck } from '../../proof/receipt-check.tsx';
import { newerReviews, type OlderReviews, useOlderReviews } from './use-agent.ts';

export type ReviewsProps = {
  /** The newest at the moment that the page shows. */
  newest: ExplainedTrustPage;
  ratings: readonly RatingRecord[];
  agentId: string;
};

/** The reviews, newest first, a page at a time, each with whether it counts and a receipt that the browser can check. */
export function Reviews({ newest, ratings, agentId }: ReviewsProps): ReactElement {
  const [older, setOlder] = useState<OlderReviews | null>(null);
  const asked = useOlderReviews(agentId, older);
  // The page before stays until the next one is there, and with it the focus on its buttons; also if that cannot be read.
  const [former, setFormer] = useState<typeof asked.data>();
  if (newest.trust.reviews.length === 0)
    return (
      <Section title="Reviews">
        <Empty>No reviews yet. A caller may review each completed call once.</Empty>
      </Section>
    );
  const olderPage = older === null ? undefined : (asked.data ?? former);
  return (
    <Section title="Reviews">
      {older !== null && asked.error !== null && <ErrorNote error={asked.error} onRetry={() => void asked.refetch()} />}
      <ReviewsPage
        page={olderPage ?? newest}
        offset={olderPage?.offset ?? 0}
        ratings={ratings}
        agentId={agentId}
        onPage={(next) => {
          setFormer(olderPage);
          setOlder(next);
        }}
      />
    </Section>
  );
}

type ReviewsPageProps = Pick<ReviewsProps, 'ratings' | 'agentId'> & {
  page: ExplainedTrustPage;
  offset: number;
  onPage: (older: OlderReviews | null) => void;
};

function ReviewsPage({ page, offset, ratings, agentId, onPage }: ReviewsPageProps): ReactElement {
  const [checked, setChecked] = useState<string | null>(null);
  const { reviews, as_of: asOf } = page.trust;
  const ratingOf = new Map(ratings.map((rating) => [rating.transaction_id, rating]));
  const end = offset + reviews.length;
  const total = page.total ?? end;
  const range = `${(offset + 1).toLocaleString('en')} to ${end.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return (
    <>
      <DataTable
        caption={
          offset === 0
            ? `The newest ${reviews.length} of ${total.toLocaleString('en')} reviews`
            : `Reviews ${range}, newest first`
        }
        columns={[
          {
            head: 'Reviewer',
            cell: ({ reviewer_agent_id: reviewer }) => <AgentLink agentId={reviewer} />,
          },
          { head: 'When', cell: ({ reviewed_at: at }) => <Ago at={at} /> },
          {
            head: 'Score',
            cell: ({ score, success }) => `${score} of 10, ${success ? 'success' : 'failure'}`,
            isNumber: true,
          },
          { head: 'Weight', cell: ({ weight }) => weight.toFixed(2), isNumber: true },
          { head: 'Counted', cell: countedText },
          {
            head: 'Answer',
            cell: (review) => answerCell(ratingOf.get(review.transaction_id)),
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
      {total > reviews.length && (
        <nav aria-label="Pages of the reviews" className="row">
          <span role="status">Reviews {range}</span>
          <button type="button" disabled={end >= total} onClick={() => onPage({ asOf: asOf.position, offset: end })}>
            Older reviews
          </button>
          <button
            type="button"
            disabled={offset === 0}
            onClick={() => onPage(newerReviews({ asOf: asOf.position, offset }))}
          >
            Newer reviews
          </button>
        </nav>
      )}
      <Dialog title="Receipt of a review" place="side" isOpen={checked !== null} onClose={() => setChecked(null)}>
        {checked !== null && <ReceiptCheck agentId={agentId} transactionId={checked} />}
      </Dialog>
    </>
  );
}

/** @param rating undefined for one that the profile does not have: it is of an older review, or of a void one */
const answerCell = (rating: RatingRecord | undefined): ReactElement | string =>
  rating === undefined ? 'not shown' : <Foreign text={rating.answer?.text ?? '–'} />;
