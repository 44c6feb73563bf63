import { rootsOfReviewer, rulesOfV2, splitOfReviewer, type TrustPolicyV2, viewOf } from '@agent-trust/trust-policy';
import type { getReviewFacts } from '@agent-trust/contracts';
import { coalescedLookup } from '@agent-trust/limits';
import type { Received, Sent } from '@agent-trust/nats-rpc';
import sql from 'sql-template-tag';
import { idHashOf } from '../projector/read-models/exchange-archive/projection.ts';
import { type AgentEvidenceIn, evidenceIn, stepsUpTo } from '../projector/read-models/trust-evidence/queries.ts';
import { policiesOf } from '../projector/read-models/trust-policy/queries.ts';
import { universeKey, universeOfKey } from '../projector/read-models/universe-key.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';

type Question = Received<(typeof getReviewFacts)['input']>;
type ReviewFacts = Sent<(typeof getReviewFacts)['output']>;

type Row = {
  question: string;
  position: bigint | null;
  callerUniverse: string | null;
  callerOrgId: string | null;
  callerOrgDomain: string | null;
  trustPolicy: string | null;
  trustScore: number | null;
  /** What `evidenceIn` makes the reviewer's evidence of. */
  steps: string | null;
  receiverUniverse: string | null;
  receiverOrgId: string | null;
  receiverOrgDomain: string | null;
  transactionId: string | null;
  isArchived: boolean;
};

/** The facts for many reviews, of one moment since one statement reads them. Without evidence of a reviewer whose org_domain is its root. */
const findReviewFacts = (database: ReadModelDatabase, questions: readonly Question[]): Promise<Row[]> =>
  database.query<Row>(sql`
    SELECT q.question, (SELECT position FROM projection_checkpoint) AS position, c.universe AS caller_universe, c.org_id AS caller_org_id, c.org_domain AS caller_org_domain,
      e.trust_policy, e.trust_score, CASE WHEN c.org_domain IS NULL THEN (${stepsUpTo(sql`e.agent_id`, sql`e`)}) END AS steps,
      r.universe AS receiver_universe, r.org_id AS receiver_org_id, r.org_domain AS receiver_org_domain, x.transaction_id,
      x.transaction_id IS NULL AND (EXISTS (SELECT FROM archived_exchange a WHERE a.id_hash = q.id_hash) OR EXISTS (
        SELECT FROM exchange l WHERE l.transaction_id = q.transaction_id AND NOT l.reviewed
          AND l.ended_position <= t.closed_position)) AS is_archived
    FROM unnest(${questions.map((question) => JSON.stringify(question))}::text[],
      ${questions.map(({ callerAgentId }) => callerAgentId)}::text[],
      ${questions.map(({ receiverAgentId }) => receiverAgentId)}::text[],
      ${questions.map(({ universe }) => universeKey(universe))}::text[],
      ${questions.map(({ transactionId }) => transactionId)}::text[],
      ${questions.map(({ transactionId }) => (transactionId === null ? null : idHashOf(transactionId)))}::bigint[])
      AS q (question, caller_agent_id, receiver_agent_id, universe, transaction_id, id_hash)
    CROSS JOIN (SELECT coalesce((SELECT closed_position FROM exchange_retention), 0) AS closed_position) t
    LEFT JOIN agent c ON c.agent_id = q.caller_agent_id
    LEFT JOIN trust_evidence e ON e.agent_id = c.agent_id
    LEFT JOIN agent r ON r.agent_id = q.receiver_agent_id
    LEFT JOIN LATERAL (
      SELECT n.transaction_id FROM exchange n WHERE n.transaction_id = q.transaction_id
        AND n.caller_agent_id = q.caller_agent_id AND n.receiver_agent_id = q.receiver_agent_id
        AND n.universe = q.universe AND NOT n.reviewed AND n.ended_position > t.closed_position
      UNION ALL
      (SELECT o.transaction_id FROM exchange o WHERE q.transaction_id IS NULL
        AND o.caller_agent_id = q.caller_agent_id AND o.receiver_agent_id = q.receiver_agent_id
        AND o.universe = q.universe AND NOT o.reviewed AND o.ended_position > t.closed_position
        ORDER BY o.ended_position DESC LIMIT 1)
    ) x ON true`);

/** Answers what a review is decided on; concurrent questions share a statement. */
export function reviewFacts(database: ReadModelDatabase): (question: Question) => Promise<ReviewFacts> {
  const policyNamed = policiesOf(database);
  const lookup = coalescedLookup<Row>(async (keys) => {
    const rows = await findReviewFacts(
      database,
      keys.map((key) => JSON.parse(key) as Question),
    );
    return new Map(rows.map((row) => [row.question, row]));
  }, queryLimits.lookups);
  const reviewerOf = async (row: Row): Promise<ReviewFacts['reviewer']> => {
    const { callerUniverse, callerOrgId: orgId, callerOrgDomain: orgDomain, trustPolicy, trustScore, steps } = row;
    if (callerUniverse === null || trustPolicy === null || trustScore === null) return null;
    const policy = await policyNamed(trustPolicy);
    // Under formula v2 a reviewer speaks for its organisation, whatever its evidence is: that takes a time that grows with its roots.
    const isNeeded = policy.formula === 'v1' || orgId === null;
    const found = steps === null || !isNeeded ? null : evidenceIn(policy, steps);
    const roots =
      policy.formula === 'v1'
        ? rootsOfReviewer({ orgDomain, evidence: found?.formula === 'v1' ? found.evidence : null }, policy)
        : splitOfReviewerV2(policy, { orgId, orgDomain }, found);
    return { universe: universeOfKey(callerUniverse), orgId, orgDomain, trustScore, roots };
  };
  return async (question) => {
    const row = await lookup(JSON.stringify(question));
    if (row === null) throw new Error('a question about a review has no row');
    const {
      position,
      receiverUniverse,
      receiverOrgId: orgId,
      receiverOrgDomain: orgDomain,
      transactionId,
      isArchived,
    } = row;
    const receiver = receiverUniverse === null ? null : { universe: universeOfKey(receiverUniverse), orgId, orgDomain };
    return {
      position: position?.toString() ?? null,
      reviewer: await reviewerOf(row),
      receiver,
      transactionId,
      isArchived,
    };
  };
}

/** What a reviewer speaks for under formula v2: its organisation, without one its domain or those who have raised it. */
const splitOfReviewerV2 = (
  policy: TrustPolicyV2,
  { orgId: organisation, orgDomain }: { orgId: string | null; orgDomain: string | null },
  found: AgentEvidenceIn | null,
): Record<string, number> => {
  const rules = rulesOfV2(policy);
  // Without evidence nobody looks at it: there is an organisation, or a domain.
  const evidence = found?.formula === 'v2' ? found.evidence : null;
  const base = evidence?.sums.prior ?? 0;
  const view = evidence === null ? null : viewOf(evidence, rules);
  return splitOfReviewer({ organisation, orgDomain, base }, view, rules);
};
