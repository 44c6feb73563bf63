import { DomainError, limits, type OrganisationRecord } from '@agent-trust/contracts';
import {
  type AnyTrustPolicy,
  type EvidenceV2,
  explainRecord as explainEvidence,
  isEstablishedOrganisation,
  policyV1,
  reviewPartsV2,
  type RulesV2,
  rulesOfV2,
  type TrustPolicyV2,
  viewOf,
} from '@agent-trust/trust-policy';
import type { OrganisationSubject } from '../projector/read-models/trust-evidence/v2/organisation-tables.ts';
import {
  findOrganisationEntries,
  findOrganisationName,
  findVouchers,
  organisationEvidenceAt,
  type OrganisationEntry,
  policyInForceAt,
} from '../projector/read-models/trust-evidence/v2/queries.ts';
import type { PolicyNamed } from '../projector/read-models/trust-policy/queries.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { pick } from '../shared/pick.ts';
import type { Moment } from './past/moment.ts';
import { shownContribution } from './shown-contribution.ts';

type Explained = Pick<
  OrganisationRecord,
  'record' | 'unrounded' | 'basis' | 'leftOut' | 'contributions' | 'confidence' | 'reviews' | 'reviewsTotal'
>;

/** The policy of formula v2 that is in force at a position. @throws DomainError no_organisation_records under another formula */
export async function recordPolicyAt(
  database: ReadModelDatabase,
  policyNamed: PolicyNamed,
  position: bigint,
): Promise<TrustPolicyV2> {
  const name = await policyInForceAt(database, position);
  const policy: AnyTrustPolicy = name === null ? policyV1 : await policyNamed(name);
  if (policy.formula === 'v2') return policy;
  throw new DomainError(
    'no_organisation_records',
    `trust policy ${JSON.stringify(policy.name)} keeps no records of organisations: it is of formula ${policy.formula}`,
  );
}

/** The refusal for an organisation that there is not. */
export function organisationNotFound(orgId: string): DomainError {
  return new DomainError('organisation_not_found', `there is no organisation ${JSON.stringify(orgId)}`);
}

/**
 * What the record of an organisation was made of at a moment, with a page of its reviews; and its standing record, if that is another.
 *
 * @param createdBy null for the present: the clock that dates an organisation may be ahead of the log's
 * @throws DomainError organisation_not_found, no_organisation_records
 */
export async function explainRecord(
  database: ReadModelDatabase,
  policyNamed: PolicyNamed,
  asked: { orgId: string; moment: Moment; createdBy: Date | null; limit: number; offset: number },
): Promise<OrganisationRecord> {
  const { orgId, moment, createdBy, limit, offset } = asked;
  const { position, time } = moment;
  const [orgName, policy] = await Promise.all([
    findOrganisationName(database, orgId, createdBy),
    recordPolicyAt(database, policyNamed, position),
  ]);
  if (orgName === null) throw organisationNotFound(orgId);
  const rules = rulesOfV2(policy);
  const of = { orgId, position, trustPolicy: policy.name };
  const explained = async (kind: OrganisationSubject): Promise<Explained | null> => {
    const evidence = await organisationEvidenceAt(database, { ...of, kind }, rules);
    if (evidence === null) return null;
    const entries = await findOrganisationEntries(database, { ...of, kind, limit, offset });
    return explainedBy(evidence, entries, rules);
  };
  const [ofRecord, standing, vouchers] = await Promise.all([
    explained('record'),
    explained('standing'),
    findVouchers(database, { ...of, countMax: limits.recordVouchersShownMax }),
  ]);
  if (ofRecord === null) throw organisationNotFound(orgId);
  return {
    orgId,
    orgName,
    trustPolicy: policy.name,
    asOf: { position: String(position), time: time.toISOString() },
    ...ofRecord,
    established: isEstablishedOrganisation(
      { organisation: orgId, vouchers: vouchers.total, standing: (standing ?? ofRecord).record },
      rules,
    ),
    vouchers: vouchers.first,
    vouchersTotal: vouchers.total,
    standing,
  };
}

const explainedBy = (evidence: EvidenceV2, entries: readonly OrganisationEntry[], rules: RulesV2): Explained => {
  const view = viewOf(evidence, rules);
  const explained = explainEvidence(view, rules);
  const leftOut = explained.leftOut === null ? -1 : view.roots.indexOf(explained.leftOut);
  const partOf = reviewPartsV2(evidence, explained.basis, rules, leftOut);
  return {
    ...pick(explained, 'record', 'unrounded', 'basis', 'leftOut', 'confidence'),
    contributions: explained.contributions.map(shownContribution),
    reviews: entries.map((entry) => explainedEntry(entry, partOf, explained.leftOut)),
    reviewsTotal: evidence.sums.reviewCount,
  };
};

const explainedEntry = (
  entry: OrganisationEntry,
  partOf: ReturnType<typeof reviewPartsV2>,
  leftOut: string | null,
): Explained['reviews'][number] => {
  const { place: sequence, countedAt: at, newer, trust, success, score, roots, share } = entry;
  const part = partOf({ sequence, at, newer, trust, success, score, roots });
  const isLeftOut = leftOut !== null && part.roots.some(([root]) => root === leftOut);
  return {
    ...pick(entry, 'eventId', 'transactionId', 'success', 'score'),
    agentId: entry.receiverAgentId,
    reviewerAgentId: entry.callerAgentId,
    reviewedAt: entry.reviewedAt.toISOString(),
    rootWeights: Object.fromEntries(part.roots),
    value: part.value,
    ...(entry.isVoid
      ? ({ weight: 0, counted: false, reason: 'voided' } as const)
      : isLeftOut
        ? { weight: part.weight, counted: false, reason: 'root_left_out' as const }
        : pick(part, 'weight', 'counted', 'reason')),
    answersFor: share === null ? null : entry.receiverAgentId,
    share,
  };
};
