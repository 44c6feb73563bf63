import type { OrganisationRecord, RecordChange } from '@agent-trust/client';
import { confidenceText, timeText } from './agent-view.ts';
import type { Output } from './output.ts';
import { safeLine } from './safe-text.ts';
import { right } from './table.ts';
import { basisText, contributionRows, partHeads, percent, reasonText, rootsText } from './trust-view.ts';

type Explained = Pick<
  OrganisationRecord,
  'record' | 'unrounded' | 'basis' | 'left_out' | 'contributions' | 'confidence' | 'reviews'
>;

/** A record with its parts and those who vouch, then the standing record if it is another. */
export function showRecord(record: OrganisationRecord, out: Output): void {
  out.line(`${out.paint('bold', safeLine(record.org_name))}  record ${record.record}/75`);
  out.fields([
    ['org_id', record.org_id],
    ['policy', record.trust_policy],
    ['as of', `${timeText(record.as_of.time)}, log position ${record.as_of.position}`],
    ['established', record.established ? 'yes: its praise counts in full' : 'no'],
    ['vouched for by', vouchersText(record)],
  ]);
  showParts(record, out);
  if (record.standing === null) return;
  out.line();
  out.line(`${out.paint('bold', 'With what it answers for')}  standing record ${record.standing.record}/75`);
  showParts(record.standing, out);
}

const vouchersText = ({ vouchers, vouchers_total: total }: OrganisationRecord): string => {
  const more = total - vouchers.length;
  const names = vouchers.map(({ organisation }) => organisation);
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ') || 'nobody';
};

const showParts = (
  { unrounded, basis, left_out: leftOut, contributions, confidence, reviews }: Explained,
  out: Output,
): void => {
  out.fields([
    ['unrounded', unrounded.toFixed(3)],
    ['follows', basisText(basis)],
    ['likely', confidenceText(confidence)],
    ['left out', leftOut ?? 'no root'],
  ]);
  out.line();
  out.table(partHeads, contributionRows(contributions, 'record'));
  if (reviews.length === 0) return;
  out.line();
  out.table(
    ['REVIEWED', 'AGENT', 'BY', right('SAYS'), right('WEIGHT'), 'ROOTS', 'COUNTS', 'TRANSACTION'],
    reviews.map((review) => [
      timeText(review.reviewed_at),
      review.answers_for === null ? review.agent_id : `${review.agent_id} (answers for ${percent(review.share ?? 0)})`,
      review.reviewer_agent_id,
      percent(review.value),
      review.weight.toFixed(3),
      rootsText(review.root_weights, 'record'),
      review.counted ? 'yes' : reasonText(review.reason),
      review.transaction_id,
    ]),
  );
};

export function showRecordHistory(history: readonly RecordChange[], out: Output): void {
  if (history.length === 0) return out.note('No changes on this page: the record began with 75.');
  return out.table(
    ['AT', right('FROM'), right('TO'), right('STANDING'), 'POLICY', 'CAUSE', 'TRANSACTION', right('POSITION')],
    history.map((change) => [
      timeText(change.at),
      String(change.previous_record),
      String(change.record),
      String(change.standing),
      change.trust_policy,
      change.cause.type,
      change.cause.transaction_id ?? '',
      change.position,
    ]),
  );
}
