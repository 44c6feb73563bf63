import { anyTable } from '@agent-trust/projections';
import { policyV1 } from '@agent-trust/trust-policy';
import type { RegistryProjection } from '../registry-event.ts';
import { trustEvidence } from '../trust-evidence/tables.ts';
import { packEvidence } from './pack-evidence.ts';
import { openPastEvidence, pastEvidence } from './tables.ts';
import { undoLine } from './undo.ts';

/** Reviews between two rows that hold the whole evidence: so many are undone at most to answer for any moment. */
const reviewsPerRow = 32;

/** Keeps what stood behind each score: how to undo each review, and in so many reviews once the evidence whole. */
export const trustEvidencePastProjection: RegistryProjection = {
  name: 'trust-evidence-past',
  tables: [anyTable(pastEvidence), anyTable(openPastEvidence)],
  reads: (event, wanted) => {
    if (event.type !== 'ExchangeReviewed') return;
    const { receiverAgentId } = event.data;
    wanted.row(trustEvidence, receiverAgentId);
    wanted.row(openPastEvidence, policyV1.name, receiverAgentId);
  },
  apply: (event, rows) => {
    if (event.type !== 'ExchangeReviewed') return;
    const { receiverAgentId: agentId } = event.data;
    const before = rows.getBefore(trustEvidence, agentId);
    const after = rows.get(trustEvidence, agentId);
    // A review of a sandbox changes nothing here.
    if (before === undefined || after === undefined || before === after) return;
    const { trustPolicy } = after;
    const undone = rows.get(openPastEvidence, trustPolicy, agentId)?.undo ?? '';
    const line = undoLine(event.position, before, before.evidence, after.evidence);
    const undo = undone === '' ? line : `${undone}\n${line}`;
    if (after.evidence.reviewCount % reviewsPerRow !== 0) {
      rows.put(openPastEvidence, { trustPolicy, agentId, undo });
      return;
    }
    const evidence = packEvidence(after.evidence);
    rows.insert(pastEvidence, { trustPolicy, agentId, untilPosition: event.position, evidence, undo });
    rows.put(openPastEvidence, { trustPolicy, agentId, undo: '' });
  },
};
