import type { LastRows, Rows, Wanted } from '@agent-trust/projections';
import { initialEvidenceV2, rulesOfV2, type TrustPolicyV2, viewOf } from '@agent-trust/trust-policy';
import { agents } from '../../agent-directory/table.ts';
import type { ProjectedRegistryEvent } from '../../registry-event.ts';
import { countingReview } from '../reviewed.ts';
import type { EvidenceStore } from '../tables.ts';
import { type Draft, meetOrganisation, putAgent, recordNow, rescore } from './draft.ts';
import { foldReview } from './fold-review.ts';
import { foldVoided } from './fold-voided.ts';
import {
  organisationEvidence,
  organisationPairs,
  organisationVouchers,
  reservedDomains,
  subjectOf,
  wantOrganisations,
} from './organisation-tables.ts';

/** What an event has changed besides the evidence that it names. */
export type Rescored = Pick<Draft, 'rescored' | 'changedRecords'>;

/** Carries agents' and organisations' evidence forward under one policy of formula v2. */
export type FoldV2 = {
  reads: (event: ProjectedRegistryEvent, wanted: Wanted) => void;
  readsThen: (event: ProjectedRegistryEvent, rows: Pick<Rows, 'get'>, wanted: Wanted) => void;
  /** Computes what the event changes, asking for the rows that it takes. */
  readsLast: (event: ProjectedRegistryEvent, rows: LastRows) => void;
  apply: (event: ProjectedRegistryEvent, rows: Rows) => void;
  /** Of an event that was applied. */
  rescoredBy: (event: ProjectedRegistryEvent) => Rescored;
};

const nothing: Rescored = { rescored: [], changedRecords: [] };

/** @param store where the agents' evidence of the policy is */
export function foldV2(policy: TrustPolicyV2, store: EvidenceStore): FoldV2 {
  const rules = rulesOfV2(policy);
  const drafts = new WeakMap<ProjectedRegistryEvent, Draft>();
  const wantOrganisation = (wanted: Wanted, orgId: string): void => wantOrganisations(wanted, policy.name, [orgId]);
  return {
    // What nearly every event of its kind needs, so that a batch loads it at once. The rest is asked for when it is known.
    reads: (event, wanted) => {
      if (event.type === 'AgentRegistered' && event.data.orgId !== null) wantOrganisation(wanted, event.data.orgId);
      const reviewed = countingReview(event);
      if (reviewed === null) return;
      const { receiverAgentId, reviewer } = reviewed.data;
      wanted.row(agents, receiverAgentId);
      if (reviewer.orgId !== null) wantOrganisation(wanted, reviewer.orgId);
      else {
        for (const root of Object.keys(reviewer.roots)) {
          wanted.row(organisationEvidence, subjectOf(policy.name, 'record', root));
          wanted.row(reservedDomains, root);
        }
      }
    },
    readsThen: (event, rows, wanted) => {
      const reviewed = countingReview(event);
      if (reviewed === null) return;
      const { receiverAgentId, callerAgentId, reviewer, reviewedAt } = reviewed.data;
      const orgId = rows.get(agents, receiverAgentId)?.orgId ?? null;
      if (orgId === null) return;
      wantOrganisation(wanted, orgId);
      for (const kind of ['record', 'standing'] as const) {
        const subject = subjectOf(policy.name, kind, orgId);
        wanted.row(organisationPairs, subject, callerAgentId);
        wanted.range(organisationPairs, subject, Date.parse(reviewedAt));
      }
      if (reviewer.orgId !== null) wanted.row(organisationVouchers, policy.name, orgId, reviewer.orgId);
    },
    readsLast: (event, rows) => {
      const draft: Draft = { event, rows, policy, rules, store, writes: [], rescored: [], changedRecords: [] };
      if (fold(draft)) drafts.set(event, draft);
    },
    apply: (event, rows) => {
      for (const write of drafts.get(event)?.writes.splice(0) ?? []) write(rows);
    },
    // Nearly all events are of other types, and each is asked about by several projections.
    rescoredBy: (event) => (mayRescore(event) ? (drafts.get(event) ?? nothing) : nothing),
  };
}

export type Rescoring = Extract<
  ProjectedRegistryEvent,
  { type: 'ExchangeReviewed' | 'ReviewsVoided' | 'AgentAdopted' }
>;

/** Whether an event is of a type that may change scores of agents that it does not name, or records. */
export function mayRescore(event: ProjectedRegistryEvent): event is Rescoring {
  return event.type === 'ExchangeReviewed' || event.type === 'ReviewsVoided' || event.type === 'AgentAdopted';
}

/** Whether the event changes anything. */
const fold = (draft: Draft): boolean => {
  const { event, rules } = draft;
  switch (event.type) {
    case 'AgentRegistered': {
      const { agentId, orgId, trustPrior: base } = event.data;
      if (orgId !== null) meetOrganisation(draft, orgId);
      const evidence = initialEvidenceV2(base);
      const record = orgId === null ? null : recordNow(draft, orgId);
      putAgent(draft, null, { agentId, base, evidence, view: viewOf(evidence, rules), record }, null);
      return true;
    }
    case 'AgentAdopted': {
      const { agentId, orgId } = event.data;
      meetOrganisation(draft, orgId);
      rescore(draft, [agentId], recordNow(draft, orgId));
      return true;
    }
    case 'OrgDomainReserved': {
      const { domain, orgId } = event.data;
      if (orgId !== null) meetOrganisation(draft, orgId);
      draft.writes.push((into) => into.put(reservedDomains, { domain, orgId }));
      return true;
    }
    case 'ExchangeReviewed': {
      const reviewed = countingReview(event);
      if (reviewed === null) return false;
      foldReview(draft, reviewed);
      return true;
    }
    case 'ReviewsVoided':
      foldVoided(draft, event);
      return true;
    default:
      return false;
  }
};
