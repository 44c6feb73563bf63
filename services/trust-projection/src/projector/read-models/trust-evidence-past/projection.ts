import type { Rows } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';
import {
  currentStore,
  type EvidenceStore,
  formerStore,
  formerTrustEvidence,
  trustEvidence,
} from '../trust-evidence/tables.ts';
import { isCarriedOn, wantInForce } from '../trust-policy/in-force.ts';
import { currentPolicy, formerPolicies, type PolicyPlan } from '../trust-policy/policy-plan.ts';
import { trustPolicyActivations } from '../trust-policy/tables.ts';
import { packEvidence } from './pack-evidence.ts';
import { openPastEvidence, pastEvidence } from './tables.ts';
import { undoLine } from './undo.ts';

/** Reviews between two rows that hold the whole evidence: so many are undone at most to answer for any moment. */
const reviewsPerRow = 32;

/**
 * Keeps what stood behind each score: how to undo each review, and in so many reviews once the evidence whole. Of former policies as long
 * as their evidence is carried on.
 */
export function trustEvidencePastProjection(plan: PolicyPlan): RegistryProjection {
  const { name: current } = currentPolicy(plan);
  const former = formerPolicies(plan).map((each) => ({ ...each, store: formerStore(each.policy.name) }));
  return {
    name: 'trust-evidence-past',
    schema: new URL('./schema.sql', import.meta.url),
    tables: [pastEvidence, openPastEvidence],
    readsFrom: [trustPolicyActivations, trustEvidence, formerTrustEvidence],
    reads: (event, wanted) => {
      if (event.type !== 'ExchangeReviewed') return;
      const { receiverAgentId } = event.data;
      wantInForce(plan, wanted);
      currentStore.wantEvidence(wanted, receiverAgentId);
      wanted.row(openPastEvidence, current, receiverAgentId);
    },
    readsThen: (event, rows, wanted) => {
      if (event.type !== 'ExchangeReviewed') return;
      const { receiverAgentId } = event.data;
      for (const each of former) {
        if (!isCarriedOn(each, rows)) continue;
        each.store.wantEvidence(wanted, receiverAgentId);
        wanted.row(openPastEvidence, each.policy.name, receiverAgentId);
      }
    },
    apply: (event, rows) => {
      if (event.type !== 'ExchangeReviewed') return;
      const { receiverAgentId } = event.data;
      keep(rows, event.position, receiverAgentId, currentStore);
      for (const each of former) if (isCarriedOn(each, rows)) keep(rows, event.position, receiverAgentId, each.store);
    },
  };
}

const keep = (rows: Rows, position: bigint, agentId: string, store: EvidenceStore): void => {
  const before = store.evidenceBefore(rows, agentId);
  const after = store.evidence(rows, agentId);
  // A review of a sandbox changes nothing here.
  if (before === undefined || after === undefined || before === after) return;
  const { trustPolicy } = after;
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
};
