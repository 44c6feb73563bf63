import { defineTable } from '@agent-trust/projections';

/** Evidence as it was after a review, and how to go back from it; see pack-evidence.ts and undo.ts. */
export type PastEvidenceRow = {
  trustPolicy: string;
  agentId: string;
  untilPosition: bigint;
  evidence: string;
  undo: string;
};

export const pastEvidence = defineTable<PastEvidenceRow>({
  name: 'trust_evidence_past',
  columns: { trustPolicy: 'text', agentId: 'text', untilPosition: 'bigint', evidence: 'text', undo: 'text' },
  key: ['trustPolicy', 'agentId', 'untilPosition'],
  appendOnly: true,
  variesWithBuild: true,
});

/** How to go back from the present evidence, as far as no row above has it. */
export type OpenPastEvidenceRow = { trustPolicy: string; agentId: string; undo: string };

export const openPastEvidence = defineTable<OpenPastEvidenceRow>({
  name: 'trust_evidence_past_open',
  columns: { trustPolicy: 'text', agentId: 'text', undo: 'text' },
  key: ['trustPolicy', 'agentId'],
  variesWithBuild: true,
});
