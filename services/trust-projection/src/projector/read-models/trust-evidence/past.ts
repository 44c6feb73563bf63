import { defineTable, type Rows } from '@agent-trust/projections';
import { packEvidence } from './pack-evidence.ts';
import type { TrustEvidenceRow } from './tables.ts';
import { undoLine } from './undo.ts';

/** Reviews between two rows that hold the whole evidence: an answer for any moment undoes at most as many. */
const reviewsPerRow = 32;

/** Evidence as it was after a review, and how to go back from there; see pack-evidence.ts and undo.ts. */
export const pastEvidence = defineTable({
  name: 'trust_evidence_past',
  columns: { trustPolicy: 'text', agentId: 'text', untilPosition: 'bigint', evidence: 'text', undo: 'text' },
  key: ['trustPolicy', 'agentId', 'untilPosition'],
  appendOnly: true,
  variesWithBuild: true,
});

/** How to go back from the present evidence to the last row above. */
export const openPastEvidence = defineTable({
  name: 'trust_evidence_past_open',
  columns: { trustPolicy: 'text', agentId: 'text', undo: 'text' },
  key: ['trustPolicy', 'agentId'],
  variesWithBuild: true,
});

/** Keeps how to undo the review at a position, and once in so many reviews the whole evidence. */
export function keepPastEvidence(
  rows: Rows,
  position: bigint,
  before: Readonly<TrustEvidenceRow>,
  after: Readonly<TrustEvidenceRow>,
): void {
  const { trustPolicy, agentId } = after;
  const undone = rows.get(openPastEvidence, trustPolicy, agentId)?.undo ?? '';
  const line = undoLine(position, before, before.evidence, after.evidence);
  const undo = undone === '' ? line : `${undone},${line}`;
  if (after.evidence.reviewCount % reviewsPerRow !== 0) {
    rows.put(openPastEvidence, { trustPolicy, agentId, undo });
    return;
  }
  const evidence = packEvidence(after.evidence);
  rows.insert(pastEvidence, { trustPolicy, agentId, untilPosition: position, evidence, undo });
  rows.put(openPastEvidence, { trustPolicy, agentId, undo: '' });
}
