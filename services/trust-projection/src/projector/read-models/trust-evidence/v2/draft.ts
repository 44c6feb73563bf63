import type { LastRows, Rows } from '@agent-trust/projections';
import {
  type AddedEntry,
  addEntry,
  averagesOfAgent,
  confidenceAt,
  effectiveTime,
  type Entry,
  type EvidenceV2,
  type EvidenceView,
  initialEvidenceV2,
  isEstablishedOrganisation,
  type PairEvidence,
  RECORD_MAX,
  type RulesV2,
  type ScoreLine,
  type TrustPolicyV2,
  verdictAt,
} from '@agent-trust/trust-policy';
import { everyMember, organisationMembers } from '../../organisation-directory/projection.ts';
import type { ProjectedRegistryEvent } from '../../registry-event.ts';
import { type EvidenceStore, type PackedLine, stepsPerWindow, stepTexts, type TrustEvidenceRow } from '../tables.ts';
import { markedEvidenceAfter, wholeMarkedText } from './marked-steps.ts';
import {
  organisationEvidence,
  type OrganisationEvidenceRow,
  organisationRecordChanges,
  organisationSteps,
  type OrganisationSubject,
  subjectOf,
} from './organisation-tables.ts';

/** What an event changes under a policy of formula v2, computed from the rows before it. */
export type Draft = {
  readonly event: ProjectedRegistryEvent;
  readonly rows: LastRows;
  readonly policy: TrustPolicyV2;
  readonly rules: RulesV2;
  readonly store: EvidenceStore;
  readonly writes: ((rows: Rows) => void)[];
  /** Agents whose score, or confidence, another one than their own review changes: the record of their organisation, or that they got an organisation. */
  readonly rescored: string[];
  /** Organisations with another record. */
  readonly changedRecords: string[];
};

export function packLine(base: number, { all, recent }: ScoreLine): PackedLine {
  const packed = recent === null ? [] : [recent.weight, recent.points, recent.roots];
  return [base, all.weight, all.points, all.roots, ...packed];
}

/** An agent's base, and its score as a function of its prior. */
export function unpackLine({ agentId, line }: Readonly<TrustEvidenceRow>): { base: number; line: ScoreLine } {
  if (line === null) throw new Error(`the score of ${agentId} is not one of formula v2`);
  const [base, weight, points, roots, recentWeight, recentPoints, recentRoots = 0] = line;
  const hasRecent = recentWeight !== undefined && recentPoints !== undefined;
  return {
    base,
    line: {
      all: { weight, points, roots },
      recent: hasRecent ? { weight: recentWeight, points: recentPoints, roots: recentRoots } : null,
    },
  };
}

/** The evidence behind an agent's row; asks for its steps if it is not in memory. */
export function markedEvidence({ rows, store, rules }: Draft, row: Readonly<TrustEvidenceRow>): EvidenceV2 {
  if (row.marked !== undefined) return row.marked;
  store.wantSteps(rows, row);
  return markedEvidenceAfter(stepTexts(rows, row), rules);
}

/** An agent's evidence; throws if it was never registered. */
export function agentRow({ rows, store, event }: Draft, agentId: string): Readonly<TrustEvidenceRow> {
  const row = store.evidence(rows, agentId);
  if (row === undefined) throw new Error(`${event.type} names agent ${agentId}, which was never registered`);
  return row;
}

/** Puts an agent's evidence after the event, with its score under the record of its organisation, if it has one. */
export function putAgent(
  draft: Draft,
  before: Readonly<TrustEvidenceRow> | null,
  {
    agentId,
    base,
    evidence,
    view,
    record,
  }: { agentId: string; base: number; evidence: EvidenceV2; view: EvidenceView; record: number | null },
  textOf: ((isWhole: boolean) => string) | null,
): void {
  const { rules, policy, store, event, writes } = draft;
  const { line } = averagesOfAgent(view, base, rules);
  const prior = record === null ? base : Math.min(base, record);
  const { score, unrounded } = verdictAt(line, prior, rules);
  writes.push((rows) =>
    store.putEvidence(
      rows,
      textOf === null ? null : before,
      {
        agentId,
        evidence: evidence.sums,
        marked: evidence,
        trustPolicy: policy.name,
        trustScore: score,
        unrounded,
        previousScore: before?.trustScore ?? null,
        scoredPosition: event.position,
        line: packLine(base, line),
        confidence: confidenceAt(line, prior, rules),
      },
      textOf ?? (() => wholeMarkedText(evidence)),
    ),
  );
}

/** Makes agents' scores anew under another record of their organisation. */
export function rescore(draft: Draft, agentIds: readonly string[], record: number): void {
  const { rows, rules, store, event, writes, rescored } = draft;
  for (const agentId of agentIds) store.wantEvidence(rows, agentId);
  for (const agentId of agentIds) {
    const row = agentRow(draft, agentId);
    const { base, line } = unpackLine(row);
    const prior = Math.min(base, record);
    const { score: trustScore, unrounded } = verdictAt(line, prior, rules);
    if (unrounded === row.unrounded) continue;
    const scoredPosition = event.position;
    const confidence = confidenceAt(line, prior, rules);
    writes.push((into) => store.putScore(into, row, { trustScore, unrounded, scoredPosition, confidence }));
    rescored.push(agentId);
  }
}

/** The scores of an organisation's agents, but one, under another record. */
export function rescoreMembers(draft: Draft, orgId: string, record: number, exceptAgentId: string): void {
  const members = draft.rows.selectRange(organisationMembers, orgId, everyMember).map(({ agentId }) => agentId);
  draft.changedRecords.push(orgId);
  rescore(
    draft,
    members.filter((agentId) => agentId !== exceptAgentId),
    record,
  );
}

export function organisationRow(
  { rows, policy }: Pick<Draft, 'rows' | 'policy'>,
  kind: OrganisationSubject,
  orgId: string,
): Readonly<OrganisationEvidenceRow> | undefined {
  return rows.get(organisationEvidence, subjectOf(policy.name, kind, orgId));
}

/** The record of an organisation, 75 for one that the log has not named yet. */
export function recordNow(draft: Draft, orgId: string): number {
  return organisationRow(draft, 'record', orgId)?.record ?? RECORD_MAX;
}

/** The standing record, which is the record until the organisation first answers. */
export function standingNow(draft: Draft, orgId: string): number {
  return organisationRow(draft, 'standing', orgId)?.record ?? recordNow(draft, orgId);
}

export function isEstablishedNow(draft: Draft, organisation: string): boolean {
  const vouchers = organisationRow(draft, 'record', organisation)?.vouchers ?? 0;
  return isEstablishedOrganisation({ organisation, vouchers, standing: standingNow(draft, organisation) }, draft.rules);
}

/** Keeps that the log has named an organisation. */
export function meetOrganisation(draft: Draft, orgId: string): void {
  const { policy, event, writes } = draft;
  if (organisationRow(draft, 'record', orgId) !== undefined) return;
  const { position } = event;
  const subject = subjectOf(policy.name, 'record', orgId);
  const evidence = initialEvidenceV2(RECORD_MAX);
  const change = wholeMarkedText(evidence);
  writes.push((rows) => {
    rows.insert(organisationSteps, { subject, windowPosition: position, step: 0, position, change });
    rows.put(organisationEvidence, {
      subject,
      trustPolicy: policy.name,
      kind: 'record',
      orgId,
      record: RECORD_MAX,
      vouchers: 0,
      newestAt: null,
      scoredPosition: position,
      windowPosition: position,
      step: 0,
      evidence,
    });
  });
}

/** Asks for the steps of an organisation's evidence if it is not in memory. */
export function wantOrganisationSteps(
  wanted: Pick<LastRows, 'row'>,
  { subject, windowPosition, step: last, evidence }: Readonly<OrganisationEvidenceRow>,
): void {
  if (evidence !== undefined) return;
  for (let step = 0; step <= last; step += 1) wanted.row(organisationSteps, subject, windowPosition, step);
}

/** The evidence behind an organisation's row; asks for its steps if it is not in memory. */
export function organisationEvidenceOf(
  { rows, rules }: Pick<Draft, 'rows' | 'rules'>,
  row: Readonly<OrganisationEvidenceRow>,
): EvidenceV2 {
  if (row.evidence !== undefined) return row.evidence;
  wantOrganisationSteps(rows, row);
  const { subject, windowPosition, step: last } = row;
  const texts = Array.from({ length: last + 1 }, (_, step) => {
    const found = rows.get(organisationSteps, subject, windowPosition, step);
    if (found === undefined) throw new Error(`step ${step} of the evidence ${subject} is missing`);
    return found.change;
  });
  return markedEvidenceAfter(texts.join(','), rules);
}

/** Puts an organisation's evidence after the event. `textOf` is null for a whole step. */
export function putOrganisation(
  { event, writes }: Draft,
  before: Readonly<OrganisationEvidenceRow>,
  { evidence, record, vouchers }: { evidence: EvidenceV2; record: number; vouchers: number },
  textOf: ((isWhole: boolean) => string) | null,
): void {
  const { position } = event;
  const isWhole = textOf === null || before.step + 1 >= stepsPerWindow;
  const windowPosition = isWhole ? position : before.windowPosition;
  const step = isWhole ? 0 : before.step + 1;
  const { subject } = before;
  const change = textOf === null ? wholeMarkedText(evidence) : textOf(isWhole);
  writes.push((rows) => {
    rows.insert(organisationSteps, { subject, windowPosition, step, position, change });
    rows.put(organisationEvidence, {
      ...before,
      evidence,
      record,
      vouchers,
      newestAt: evidence.sums.newestAt,
      scoredPosition: position,
      windowPosition,
      step,
    });
  });
}

type Records = { record: number; standing: number };

/** Adds a change of an organisation's records to its history, if there is one. */
export function noteRecords(
  { event, policy, writes }: Draft,
  orgId: string,
  { at, transactionId }: { at: string; transactionId: string | null },
  before: Records,
  after: Records,
): void {
  if (before.record === after.record && before.standing === after.standing) return;
  const { position, type: causeType, eventId: causeEventId } = event;
  writes.push((rows) =>
    rows.insert(organisationRecordChanges, {
      trustPolicy: policy.name,
      orgId,
      position,
      at: new Date(at),
      record: after.record,
      previousRecord: before.record,
      standing: after.standing,
      previousStanding: before.standing,
      causeType,
      causeEventId,
      transactionId,
    }),
  );
}

type PairRow = { reviewer: string; pair: PairEvidence | null };

/** Adds an entry to evidence. `due` are the rows of the pairs of which reviews may have stopped counting by a time. */
export function addWithPairs<Row extends PairRow>(
  evidence: EvidenceV2,
  entry: Entry,
  own: Readonly<Row> | undefined,
  due: (upTo: number) => readonly Readonly<Row>[],
  rules: RulesV2,
): AddedEntry & { expired: readonly Readonly<Row>[] } {
  const expired = due(effectiveTime(evidence.sums, entry)).filter(({ reviewer }) => reviewer !== entry.reviewer);
  const added = addEntry(
    { evidence, pair: own?.pair ?? null, expired: expired.flatMap(({ pair }) => pair ?? []), entry },
    rules,
  );
  return { ...added, expired };
}
