import { defineTable } from '@agent-trust/projections';

/** Evidence as it was after a review, and how to go back from it; see pack-evidence.ts and undo.ts. */
export const pastEvidence = defineTable({
  name: 'trust_evidence_past',
  columns: { trustPolicy: 'text', agentId: 'text', untilPosition: 'bigint', evidence: 'text', undo: 'text' },
  key: ['trustPolicy', 'agentId', 'untilPosition'],
  appendOnly: true,
  variesWithBuild: true,
});

/** How to go back from the present evidence, as far as no row above has it. */
export const openPastEvidence = defineTable({
  name: 'trust_evidence_past_open',
  columns: { trustPolicy: 'text', agentId: 'text', undo: 'text' },
  key: ['trustPolicy', 'agentId'],
  variesWithBuild: true,
});
