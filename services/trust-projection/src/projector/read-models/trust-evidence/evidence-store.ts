import type { Rows, Wanted } from '@agent-trust/projections';
import {
  accountOf,
  formerTrustEvidence,
  formerTrustPairs,
  trustEvidence,
  type TrustEvidenceRow,
  type TrustPairRow,
  trustPairs,
} from './tables.ts';

/** Where the evidence of one policy is kept: that of the policy in force where everybody looks, that of former ones beside it. */
export type EvidenceStore = {
  want(wanted: Wanted, agentId: string, reviewer: string): void;
  wantEvidence(wanted: Wanted, agentId: string): void;
  wantPairs(wanted: Wanted, agentId: string, upTo: number): void;
  evidence(rows: Pick<Rows, 'get'>, agentId: string): Readonly<TrustEvidenceRow> | undefined;
  /** As it was before the present event. */
  evidenceBefore(rows: Pick<Rows, 'getBefore'>, agentId: string): Readonly<TrustEvidenceRow> | undefined;
  pair(rows: Rows, agentId: string, reviewer: string): Pick<TrustPairRow, 'pair' | 'reviews'> | undefined;
  pairs(rows: Rows, agentId: string, upTo: number): Pick<TrustPairRow, 'reviewer' | 'pair' | 'reviews'>[];
  putEvidence(rows: Rows, row: TrustEvidenceRow): void;
  putPair(rows: Rows, row: TrustPairRow): void;
};

export const currentStore: EvidenceStore = {
  want: (wanted, agentId, reviewer) => {
    wanted.row(trustEvidence, agentId);
    wanted.row(trustPairs, agentId, reviewer);
  },
  wantEvidence: (wanted, agentId) => wanted.row(trustEvidence, agentId),
  wantPairs: (wanted, agentId, upTo) => wanted.range(trustPairs, agentId, upTo),
  evidence: (rows, agentId) => rows.get(trustEvidence, agentId),
  evidenceBefore: (rows, agentId) => rows.getBefore(trustEvidence, agentId),
  pair: (rows, agentId, reviewer) => rows.get(trustPairs, agentId, reviewer),
  pairs: (rows, agentId, upTo) => rows.selectRange(trustPairs, agentId, upTo),
  putEvidence: (rows, row) => rows.put(trustEvidence, row),
  putPair: (rows, row) => rows.put(trustPairs, row),
};

export function formerStore(trustPolicy: string): EvidenceStore {
  const account = (agentId: string): string => accountOf(trustPolicy, agentId);
  return {
    want: (wanted, agentId, reviewer) => {
      wanted.row(formerTrustEvidence, account(agentId));
      wanted.row(formerTrustPairs, account(agentId), reviewer);
    },
    wantEvidence: (wanted, agentId) => wanted.row(formerTrustEvidence, account(agentId)),
    wantPairs: (wanted, agentId, upTo) => wanted.range(formerTrustPairs, account(agentId), upTo),
    evidence: (rows, agentId) => rows.get(formerTrustEvidence, account(agentId)),
    evidenceBefore: (rows, agentId) => rows.getBefore(formerTrustEvidence, account(agentId)),
    pair: (rows, agentId, reviewer) => rows.get(formerTrustPairs, account(agentId), reviewer),
    pairs: (rows, agentId, upTo) => rows.selectRange(formerTrustPairs, account(agentId), upTo),
    putEvidence: (rows, row) => rows.put(formerTrustEvidence, { ...row, account: account(row.agentId) }),
    putPair: (rows, { agentId, ...pair }) => rows.put(formerTrustPairs, { ...pair, account: account(agentId) }),
  };
}
