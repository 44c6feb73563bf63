import { column, defineTable, type RowOf, type Rows, type Table, type Wanted } from '@agent-trust/projections';
import type { AgentEvidence, PairEvidence } from '@agent-trust/trust-policy';

/** After any date. */
export const neverExpires = 8.64e15;

const scored = {
  evidence: column<AgentEvidence>('jsonb'),
  trustPolicy: 'text',
  trustScore: 'integer',
  unrounded: 'double precision',
  previousScore: 'integer?',
  scoredPosition: 'bigint',
} as const;

const paired = {
  reviewer: 'text',
  /** The evidence's own, put where an index can find it; `neverExpires` without one. */
  expiresAt: 'double precision',
  /** Null once none of the reviews counts any more. */
  pair: column<PairEvidence | null>('jsonb'),
  /** Reviews that the pair ever had. */
  reviews: 'integer',
} as const;

/** What stands behind an agent's score, and the score that it comes to. */
export const trustEvidence = defineTable({
  name: 'trust_evidence',
  columns: { agentId: 'text', ...scored },
  key: ['agentId'],
  variesWithBuild: true,
});
export type TrustEvidenceRow = RowOf<typeof trustEvidence>;

/** What is held of the reviews of one agent by one reviewer. */
export const trustPairs = defineTable({
  name: 'trust_pair',
  columns: { agentId: 'text', ...paired },
  key: ['agentId', 'reviewer'],
  range: { group: 'agentId', order: 'expiresAt' },
  variesWithBuild: true,
});
export type TrustPairRow = RowOf<typeof trustPairs>;

/** The same under a former policy. An account is a policy and an agent. */
export const formerTrustEvidence = defineTable({
  name: 'former_trust_evidence',
  columns: { account: 'text', agentId: 'text', ...scored },
  key: ['account'],
  variesWithBuild: true,
});

export const formerTrustPairs = defineTable({
  name: 'former_trust_pair',
  columns: { account: 'text', ...paired },
  key: ['account', 'reviewer'],
  range: { group: 'account', order: 'expiresAt' },
  variesWithBuild: true,
});

const storeIn = (
  evidence: Table<TrustEvidenceRow>,
  pairs: Table<Omit<TrustPairRow, 'agentId'>>,
  keyColumn: 'agentId' | 'account',
  keyOf: (agentId: string) => string,
) => ({
  want: (wanted: Wanted, agentId: string, reviewer: string): void => {
    wanted.row(evidence, keyOf(agentId));
    wanted.row(pairs, keyOf(agentId), reviewer);
  },
  wantEvidence: (wanted: Wanted, agentId: string): void => wanted.row(evidence, keyOf(agentId)),
  wantPairs: (wanted: Wanted, agentId: string, upTo: number): void => wanted.range(pairs, keyOf(agentId), upTo),
  evidence: (rows: Pick<Rows, 'get'>, agentId: string) => rows.get(evidence, keyOf(agentId)),
  /** As it was before the present event. */
  evidenceBefore: (rows: Pick<Rows, 'getBefore'>, agentId: string) => rows.getBefore(evidence, keyOf(agentId)),
  pair: (rows: Rows, agentId: string, reviewer: string) => rows.get(pairs, keyOf(agentId), reviewer),
  pairs: (rows: Rows, agentId: string, upTo: number) => rows.selectRange(pairs, keyOf(agentId), upTo),
  putEvidence: (rows: Rows, row: TrustEvidenceRow): void =>
    rows.put(evidence, { ...row, [keyColumn]: keyOf(row.agentId) }),
  putPair: (rows: Rows, { agentId, ...pair }: TrustPairRow): void =>
    rows.put(pairs, { ...pair, [keyColumn]: keyOf(agentId) }),
});

/** Where the evidence of one policy is kept: that of the policy in force in the main tables, that of former ones beside them. */
export type EvidenceStore = ReturnType<typeof storeIn>;

export const currentStore: EvidenceStore = storeIn(trustEvidence, trustPairs, 'agentId', (agentId) => agentId);

export function formerStore(trustPolicy: string): EvidenceStore {
  // Names of policies have no spaces, so an account has one reading.
  return storeIn(formerTrustEvidence, formerTrustPairs, 'account', (agentId) => `${trustPolicy} ${agentId}`);
}
