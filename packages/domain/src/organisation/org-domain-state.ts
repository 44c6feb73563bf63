import type { DomainProofMethod, OrgDomainEvent } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';

/** A reservation; `revision` is its place in the domain's stream, `orgId` null means for no organisation. */
export type OrgDomainHolder = { agentId: string; orgId: string | null; revision: number; reservedAt: string };

/** The newest token that an organisation asked for. */
export type RequestedProof = { orgId: string; tokenHash: string; requestedAt: string };

/** The proof that a domain has. `tokenHash` is null if the operator vouches for it. */
export type OrgDomainProof = {
  orgId: string;
  method: DomainProofMethod | 'operator';
  tokenHash: string | null;
  provedAt: string;
  checkedAt: string;
  /** Looks in a row that did not find the token. */
  misses: number;
  lapsedAt: string | null;
};

export type OrgDomainState = {
  /** Counts the stream's events. */
  revisionNext: number;
  /** The newest reservation of each agent, unless released. */
  holders: readonly OrgDomainHolder[];
  /** Oldest first, one for each organisation. */
  requests: readonly RequestedProof[];
  proof: OrgDomainProof | null;
};

/** Organisations whose token requests for one domain are kept; beyond it, the oldest is forgotten, and has to ask again. */
export const domainRequestersMax = 100;

export function evolveOrgDomain(state: OrgDomainState, event: OrgDomainEvent): OrgDomainState {
  return { ...after(state, event), revisionNext: state.revisionNext + 1 };
}

const after = (state: OrgDomainState, event: OrgDomainEvent): OrgDomainState => {
  switch (event.type) {
    case 'OrgDomainReserved': {
      const { agentId, orgId, reservedAt } = event.data;
      return {
        ...state,
        holders: [...othersThan(state, agentId), { agentId, orgId, revision: state.revisionNext, reservedAt }],
      };
    }
    case 'OrgDomainReleased':
      return { ...state, holders: othersThan(state, event.data.agentId) };
    case 'OrgDomainProofRequested': {
      const { orgId, tokenHash, requestedAt } = event.data;
      const others = state.requests.filter((request) => request.orgId !== orgId);
      return { ...state, requests: [...others, { orgId, tokenHash, requestedAt }].slice(-domainRequestersMax) };
    }
    default:
      return isProofEvent(event) ? { ...state, proof: evolveProof(state.proof, event) } : unreachable(event);
  }
};

const proofEventTypes = [
  'OrgDomainProved',
  'OrgDomainVouchedFor',
  'OrgDomainProofChecked',
  'OrgDomainProofLapsed',
  'OrgDomainProofRestored',
  'OrgDomainProofEnded',
] as const;
type ProofEventType = (typeof proofEventTypes)[number];
type ProofEvent = Extract<OrgDomainEvent, { type: ProofEventType }>;

/** Whether an event alters the proof of a domain. */
export function isProofEvent<Event extends { type: string }>(
  event: Event,
): event is Extract<Event, { type: ProofEventType }> {
  return (proofEventTypes as readonly string[]).includes(event.type);
}

/** The proof of a domain after one more event; null for none. */
export function evolveProof(proof: OrgDomainProof | null, event: ProofEvent): OrgDomainProof | null {
  switch (event.type) {
    case 'OrgDomainProved': {
      const { orgId, method, tokenHash, provedAt } = event.data;
      return { orgId, method, tokenHash, ...freshAt(provedAt) };
    }
    case 'OrgDomainVouchedFor': {
      const { orgId, vouchedAt } = event.data;
      return { orgId, method: 'operator', tokenHash: null, ...freshAt(vouchedAt) };
    }
    case 'OrgDomainProofChecked': {
      const { method, checkedAt } = event.data;
      const before = standing(proof, event);
      return method === null
        ? { ...before, checkedAt, misses: before.misses + 1 }
        : { ...before, checkedAt, method, misses: 0 };
    }
    case 'OrgDomainProofLapsed':
      return { ...standing(proof, event), lapsedAt: event.data.lapsedAt };
    case 'OrgDomainProofRestored':
      return { ...standing(proof, event), lapsedAt: null };
    case 'OrgDomainProofEnded':
      return null;
    default:
      return unreachable(event);
  }
}

const freshAt = (provedAt: string) => ({ provedAt, checkedAt: provedAt, misses: 0, lapsedAt: null });

const othersThan = ({ holders }: OrgDomainState, agentId: string): OrgDomainHolder[] =>
  holders.filter((holder) => holder.agentId !== agentId);

const standing = (proof: OrgDomainProof | null, { type }: ProofEvent): OrgDomainProof => {
  if (proof === null) throw new Error(`${type} stands in a domain's stream without a proof before it`);
  return proof;
};
