import { type Entry, type EvidenceV2, recordOf } from '@agent-trust/trust-policy';
import { neverExpires, type TrustEvidenceRow } from '../tables.ts';
import {
  addWithPairs,
  type Draft,
  markedEvidence,
  organisationEvidenceOf,
  putAgent,
  putOrganisation,
  wantOrganisationSteps,
} from './draft.ts';
import { markedChangeText, wholeMarkedText } from './marked-steps.ts';
import { type OrganisationEvidenceRow, organisationPairs, subjectOf } from './organisation-tables.ts';

/** The number of a review in the evidence, and when it counts as made there. */
export type Counted = { place: number; countedAt: number };

const countedIn = ({ sums: { reviewCount, newestAt } }: EvidenceV2, { reviewedAt }: Entry): Counted => ({
  place: reviewCount - 1,
  countedAt: newestAt ?? reviewedAt,
});

/** Adds a review to the evidence about an agent; the score is put later, when the record of its organisation is known. */
export function addToAgent(
  draft: Draft,
  before: Readonly<TrustEvidenceRow>,
  base: number,
  entry: Entry,
): Counted & { put: (record: number | null) => void } {
  const { rows, rules, store, writes } = draft;
  const { agentId } = before;
  const { reviewer } = entry;
  const evidence = markedEvidence(draft, before);
  const own = store.pair(rows, agentId, reviewer);
  const added = addWithPairs(evidence, entry, own, (upTo) => store.pairs(rows, agentId, upTo), rules);
  const reviewsBefore = new Map(added.expired.map((each) => [each.reviewer, each.reviews]));
  const reviewsOf = (of: string): number => (of === reviewer ? (own?.reviews ?? 0) + 1 : (reviewsBefore.get(of) ?? 0));
  writes.push((into) => {
    for (const each of added.removedPairs) {
      store.putPair(into, {
        agentId,
        reviewer: each,
        expiresAt: neverExpires,
        pair: null,
        reviews: reviewsOf(each),
      });
    }
    for (const pair of added.changedPairs) {
      const { reviewer: of, expiresAt } = pair;
      store.putPair(into, { agentId, reviewer: of, expiresAt, pair, reviews: reviewsOf(of) });
    }
  });
  const textOf = (isWhole: boolean): string =>
    isWhole
      ? wholeMarkedText(added.evidence)
      : markedChangeText(evidence, added.evidence, added.changedRoots, entry.own?.organisation ?? null);
  return {
    ...countedIn(added.evidence, entry),
    put: (record) =>
      putAgent(draft, before, { agentId, base, evidence: added.evidence, view: added.view, record }, textOf),
  };
}

/**
 * Asks for all that `addToOrganisation` reads of the evidence that it adds to.
 *
 * @param isCopied whether this is a record that a standing record begins as, so that all its pairs are read
 */
export function wantForEntry(
  { rows }: Pick<Draft, 'rows'>,
  source: Readonly<OrganisationEvidenceRow>,
  { reviewer, reviewedAt }: Pick<Entry, 'reviewer' | 'reviewedAt'>,
  isCopied: boolean,
): void {
  wantOrganisationSteps(rows, source);
  rows.row(organisationPairs, source.subject, reviewer);
  const upTo = isCopied ? neverExpires : Math.max(source.newestAt ?? 0, reviewedAt);
  rows.range(organisationPairs, source.subject, upTo);
}

/** What an organisation's evidence is after a review was added to it. */
export type AddedToOrganisation = Counted & { record: number; put: (vouchers: number) => void };

/**
 * Adds a review to the evidence about an organisation.
 *
 * @param copyOf the record that a standing record begins as; its row is new then
 */
export function addToOrganisation(
  draft: Draft,
  before: Readonly<OrganisationEvidenceRow>,
  entry: Entry,
  copyOf: Readonly<OrganisationEvidenceRow> | null = null,
): AddedToOrganisation {
  const { rows, rules, writes } = draft;
  const { subject } = before;
  const source = copyOf ?? before;
  const evidence = organisationEvidenceOf(draft, source);
  const own = rows.get(organisationPairs, source.subject, entry.reviewer);
  const added = addWithPairs(
    evidence,
    entry,
    own,
    (upTo) => rows.selectRange(organisationPairs, source.subject, upTo),
    rules,
  );
  const copied = copyOf === null ? [] : rows.selectRange(organisationPairs, source.subject, neverExpires);
  writes.push((into) => {
    for (const pair of copied) into.put(organisationPairs, { ...pair, subject });
    for (const reviewer of added.removedPairs) into.delete(organisationPairs, subject, reviewer);
    for (const pair of added.changedPairs) {
      const { reviewer, expiresAt } = pair;
      into.put(organisationPairs, { subject, reviewer, expiresAt, pair });
    }
  });
  const { record } = recordOf(added.view, rules);
  const textOf = (isWhole: boolean): string =>
    isWhole
      ? wholeMarkedText(added.evidence)
      : markedChangeText(evidence, added.evidence, added.changedRoots, entry.own?.organisation ?? null);
  return {
    ...countedIn(added.evidence, entry),
    record,
    put: (vouchers) =>
      putOrganisation(draft, before, { evidence: added.evidence, record, vouchers }, copyOf === null ? textOf : null),
  };
}

/** The row of a standing record that begins now, as a copy of the record. */
export function newStandingRow(
  { policy }: Pick<Draft, 'policy'>,
  record: Readonly<OrganisationEvidenceRow>,
): OrganisationEvidenceRow {
  const { evidence: _, ...row } = record;
  return { ...row, subject: subjectOf(policy.name, 'standing', record.orgId), kind: 'standing', vouchers: 0 };
}
