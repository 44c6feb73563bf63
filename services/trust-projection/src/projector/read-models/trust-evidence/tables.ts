import { defineTable } from '@agent-trust/projections';
import type { AgentEvidence, PairEvidence } from '@agent-trust/trust-policy';

/** What stands behind an agent's score, and the score that it comes to. */
export type TrustEvidenceRow = {
  agentId: string;
  evidence: AgentEvidence;
  trustPolicy: string;
  trustScore: number;
  unrounded: number;
  previousScore: number | null;
  scoredPosition: bigint;
};

/** What is held of the reviews of one agent by one reviewer. */
export type TrustPairRow = {
  agentId: string;
  reviewer: string;
  /** The evidence's own, put where an index can find it; `neverExpires` without one. */
  expiresAt: number;
  /** Null once none of the reviews counts any more. */
  pair: PairEvidence | null;
  /** Reviews that the pair ever had. */
  reviews: number;
};

/** After any date. */
export const neverExpires = 8.64e15;

export const trustEvidence = defineTable<TrustEvidenceRow>({
  name: 'trust_evidence',
  columns: {
    agentId: 'text',
    evidence: 'jsonb',
    trustPolicy: 'text',
    trustScore: 'integer',
    unrounded: 'double precision',
    previousScore: 'integer',
    scoredPosition: 'bigint',
  },
  key: ['agentId'],
  variesWithBuild: true,
});

export const trustPairs = defineTable<TrustPairRow>({
  name: 'trust_pair',
  columns: {
    agentId: 'text',
    reviewer: 'text',
    expiresAt: 'double precision',
    pair: 'jsonb',
    reviews: 'integer',
  },
  key: ['agentId', 'reviewer'],
  range: { group: 'agentId', order: 'expiresAt' },
  variesWithBuild: true,
});

/** The evidence of an agent under a former policy. Names of policies have no spaces, so an account has one reading. */
export function accountOf(trustPolicy: string, agentId: string): string {
  return `${trustPolicy} ${agentId}`;
}

export const formerTrustEvidence = defineTable<TrustEvidenceRow & { account: string }>({
  name: 'former_trust_evidence',
  columns: {
    account: 'text',
    trustPolicy: 'text',
    agentId: 'text',
    evidence: 'jsonb',
    trustScore: 'integer',
    unrounded: 'double precision',
    previousScore: 'integer',
    scoredPosition: 'bigint',
  },
  key: ['account'],
  variesWithBuild: true,
});

export const formerTrustPairs = defineTable<Omit<TrustPairRow, 'agentId'> & { account: string }>({
  name: 'former_trust_pair',
  columns: {
    account: 'text',
    reviewer: 'text',
    expiresAt: 'double precision',
    pair: 'jsonb',
    reviews: 'integer',
  },
  key: ['account', 'reviewer'],
  range: { group: 'account', order: 'expiresAt' },
  variesWithBuild: true,
});
