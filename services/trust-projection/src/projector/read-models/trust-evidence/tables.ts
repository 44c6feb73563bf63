import { column, defineTable, type RowOf, type Rows, type Table, type Wanted } from '@agent-trust/projections';
import type { AgentEvidence, Confidence, EvidenceV2, PairEvidence } from '@agent-trust/trust-policy';
import { markedSumsAfter } from './v2/marked-steps.ts';
import { evidenceAfter } from './steps.ts';

/** After any date. */
export const neverExpires = 8.64e15;

/**
 * An agent's base, and its score as a function of its prior (`ScoreLine`): weight, points and number of roots of all evidence and, in a fast fall, of the
 * recent.
 */
export type PackedLine = readonly [base: number, weight: number, points: number, roots: number, ...recent: number[]];

const scored = {
  trustPolicy: 'text',
  trustScore: 'integer',
  unrounded: 'double precision',
  previousScore: 'integer?',
  scoredPosition: 'bigint',
  /** Time of the newest review in milliseconds since the Unix epoch; null before the first. */
  newestAt: 'double precision?',
  /** The last step that led here: see `evidenceSteps`. */
  windowPosition: 'bigint',
  step: 'integer',
  /** Under formula v2, where an organisation's record changes the scores of its agents; null under v1. */
  line: column<PackedLine | null>('jsonb'),
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

/**
 * An agent's score, and the evidence that it comes from, under formula v2 with marks. The evidence itself is in memory alone: the database has its
 * steps. So is the confidence, which the agent's standing takes over at the event that puts the score.
 */
type Scored<Row> = Row & { evidence?: AgentEvidence; marked?: EvidenceV2; confidence?: Confidence };

const scores = defineTable({
  name: 'trust_evidence',
  columns: { agentId: 'text', ...scored },
  key: ['agentId'],
  variesWithBuild: true,
});
export type TrustEvidenceRow = Scored<RowOf<typeof scores>>;
export const trustEvidence: Table<TrustEvidenceRow> = scores;

/** Steps from one whole evidence to the next. More make fewer of these, which grow with the agent's roots, but more to read for an answer. */
export const stepsPerWindow = 32;

/**
 * How an agent's evidence came about, under each policy: a row for its registration and one for each review. The first step of a window has
 * the whole evidence, each later one what its review changed.
 */
export const evidenceSteps = defineTable({
  name: 'trust_evidence_step',
  columns: {
    trustPolicy: 'text',
    agentId: 'text',
    /** Position of the first step of the window. */
    windowPosition: 'bigint',
    /** Its number in the window, from 0. */
    step: 'integer',
    position: 'bigint',
    /** The score after it. */
    trustScore: 'integer',
    unrounded: 'double precision',
    /** See steps.ts and, for formula v2, v2/marked-steps.ts. */
    change: 'text',
  },
  key: ['trustPolicy', 'agentId', 'windowPosition', 'step'],
  appendOnly: true,
  variesWithBuild: true,
});

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
const formerScores = defineTable({
  name: 'former_trust_evidence',
  columns: { account: 'text', agentId: 'text', ...scored },
  key: ['account'],
  variesWithBuild: true,
});
export const formerTrustEvidence: Table<Scored<RowOf<typeof formerScores>>> = formerScores;

export const formerTrustPairs = defineTable({
  name: 'former_trust_pair',
  columns: { account: 'text', ...paired },
  key: ['account', 'reviewer'],
  range: { group: 'account', order: 'expiresAt' },
  variesWithBuild: true,
});

type NewScore = Omit<TrustEvidenceRow, 'newestAt' | 'windowPosition' | 'step'> & {
  evidence: AgentEvidence;
  confidence: Confidence;
};

const stepKey = ({ trustPolicy, agentId, windowPosition }: Readonly<TrustEvidenceRow>, step: number) =>
  [trustPolicy, agentId, windowPosition, step] as const;

/** The steps of the evidence behind a row's score, as text, if it is not in memory: `wantSteps` must have asked for them. */
export function stepTexts(rows: Pick<Rows, 'get'>, row: Readonly<TrustEvidenceRow>): string {
  const texts = Array.from({ length: row.step + 1 }, (_, step) => {
    const found = rows.get(evidenceSteps, ...stepKey(row, step));
    if (found === undefined) throw new Error(`step ${step} of the evidence of ${row.agentId} is missing`);
    return found.change;
  });
  return texts.join(',');
}

/** The evidence behind a row's score, without marks. If it is not in memory, `wantSteps` must have asked for its steps. */
export function evidenceOf(rows: Pick<Rows, 'get'>, row: Readonly<TrustEvidenceRow>): AgentEvidence {
  if (row.evidence !== undefined) return row.evidence;
  const texts = stepTexts(rows, row);
  return row.line === null ? evidenceAfter(texts) : markedSumsAfter(texts);
}

const storeIn = (
  evidenceTable: Table<TrustEvidenceRow>,
  pairs: Table<Omit<TrustPairRow, 'agentId'>>,
  keyOf: (agentId: string) => string,
  /** A row with the table's own key. */
  withKey: <Row extends { agentId: string }>(row: Row) => Row,
) => ({
  want: (wanted: Wanted, agentId: string, reviewer: string): void => {
    wanted.row(evidenceTable, keyOf(agentId));
    wanted.row(pairs, keyOf(agentId), reviewer);
  },
  wantEvidence: (wanted: Wanted, agentId: string): void => wanted.row(evidenceTable, keyOf(agentId)),
  wantPairs: (wanted: Wanted, agentId: string, upTo: number): void => wanted.range(pairs, keyOf(agentId), upTo),
  evidence: (rows: Pick<Rows, 'get'>, agentId: string) => rows.get(evidenceTable, keyOf(agentId)),
  /** As it was before the present event. */
  evidenceBefore: (rows: Pick<Rows, 'getBefore'>, agentId: string) => rows.getBefore(evidenceTable, keyOf(agentId)),
  pair: (rows: Pick<Rows, 'get'>, agentId: string, reviewer: string) => rows.get(pairs, keyOf(agentId), reviewer),
  pairs: (rows: Pick<Rows, 'selectRange'>, agentId: string, upTo: number) =>
    rows.selectRange(pairs, keyOf(agentId), upTo),
  /** The steps of evidence that came from the database, and is not in memory. */
  wantSteps: (wanted: Wanted, row: Readonly<TrustEvidenceRow> | undefined): void => {
    if (row === undefined || row.evidence !== undefined) return;
    for (let step = 0; step <= row.step; step += 1) wanted.row(evidenceSteps, ...stepKey(row, step));
  },
  /**
   * Puts a score and its evidence; `before` is null if these do not follow from the former by one review.
   *
   * @param textOf of the step: the whole evidence, or what the review changed
   */
  putEvidence: (
    rows: Rows,
    before: Readonly<TrustEvidenceRow> | null,
    score: NewScore,
    textOf: (isWhole: boolean) => string,
  ): void => {
    const { agentId, evidence, trustPolicy, trustScore, unrounded, scoredPosition } = score;
    const isWhole = before === null || before.step + 1 >= stepsPerWindow;
    const windowPosition = isWhole ? scoredPosition : before.windowPosition;
    const step = isWhole ? 0 : before.step + 1;
    const change = textOf(isWhole);
    rows.insert(evidenceSteps, {
      trustPolicy,
      agentId,
      windowPosition,
      step,
      position: scoredPosition,
      trustScore,
      unrounded,
      change,
    });
    rows.put(evidenceTable, withKey({ ...score, newestAt: evidence.newestAt, windowPosition, step }));
  },
  /** Puts another score of the same evidence. */
  putScore: (
    rows: Rows,
    before: Readonly<TrustEvidenceRow>,
    score: Pick<NewScore, 'trustScore' | 'unrounded' | 'scoredPosition' | 'confidence'>,
  ): void => rows.put(evidenceTable, withKey({ ...before, ...score, previousScore: before.trustScore })),
  putPair: (rows: Rows, pair: TrustPairRow): void => rows.put(pairs, withKey(pair)),
});

/** Where the evidence of one policy is kept: that of the policy in force in the main tables, that of former ones beside them. */
export type EvidenceStore = ReturnType<typeof storeIn>;

export const currentStore: EvidenceStore = storeIn(
  trustEvidence,
  trustPairs,
  (agentId) => agentId,
  (row) => row,
);

export function formerStore(trustPolicy: string): EvidenceStore {
  // Names of policies have no spaces, so an account has one reading.
  const accountOf = (agentId: string): string => `${trustPolicy} ${agentId}`;
  return storeIn(formerTrustEvidence, formerTrustPairs, accountOf, (row) => ({
    ...row,
    account: accountOf(row.agentId),
  }));
}
