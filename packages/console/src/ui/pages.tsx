import type { ReactElement } from 'react';

export type PagesProps = {
  /** Names the list where a page has several. */
  label?: string;
  /** How many entries come before the page, how many are on it, and how many there are, if that is known. */
  offset: number;
  count: number;
  total: number | null;
  limit: number;
  /** Whether the entries shown are still those of an earlier question. */
  isFormer: boolean;
  onOffset: (offset: number) => void;
};

/** Where in a listing the reader is, and the ways on and back. */
export function Pages({
  label = 'Pages of the list',
  offset,
  count,
  total,
  limit,
  isFormer,
  onOffset,
}: PagesProps): ReactElement {
  const last = offset + count;
  return (
    <nav aria-label={label} className="row">
      <span role="status">
        {isFormer
          ? 'Loading other entries…'
          : (count === 0 ? 'None' : `${offset + 1} to ${last}`) +
            (total === null ? '' : ` of ${total.toLocaleString('en')}`)}
      </span>
      <button type="button" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - limit))}>
        Previous
      </button>
      <button
        type="button"
        disabled={total === null ? count < limit : last >= total}
        onClick={() => onOffset(offset + limit)}
      >
        Next
      </button>
    </nav>
  );
}
