import { loadSchema, type ReadModel } from '@agent-trust/projections';
import { agentChangeProjection } from './agent-change/projection.ts';
import { agentCredentialProjection } from './agent-credential/projection.ts';
import { agentDirectoryProjection } from './agent-directory/projection.ts';
import { openPastStandings, pastStandings } from './agent-standing/past.ts';
import { agentStandingProjection } from './agent-standing/projection.ts';
import { capabilityTaxonomyProjection } from './capability-taxonomy/projection.ts';
import { dailyActivity, dailyActivityProjection } from './daily-activity/projection.ts';
import { exchangeArchiveProjection } from './exchange-archive/projection.ts';
import { exchangeRetention, type ExchangeRetentionOptions } from './exchange-archive/retention.ts';
import { exchangeLedgerProjection } from './exchange-ledger/projection.ts';
import { logClock, logClockNow, logClockProjection } from './log-clock/projection.ts';
import { operatorKeysProjection } from './operator-keys/projection.ts';
import { organisationKeysProjection } from './organisation-keys/projection.ts';
import { organisationDirectoryProjection } from './organisation-directory/projection.ts';
import { organisationLimitsProjection } from './organisation-limits/projection.ts';
import { orgDomainsProjection } from './org-domains/projection.ts';
import { orgPaymentsProjection } from './org-payments/projection.ts';
import { ratingsProjection } from './ratings/projection.ts';
import { recentExchangesProjection } from './recent-exchanges/projection.ts';
import { decodeRegistryEvent, type ProjectedRegistryEvent, type RegistryProjection } from './registry-event.ts';
import { reviewAnswersProjection } from './review-answers/projection.ts';
import { type RescoredBy, trustEvidenceProjection } from './trust-evidence/projection.ts';
import { trustHistoryProjection } from './trust-history/projection.ts';
import { builtInPlan, currentPolicy, type PolicyPlan, readPlan, writePlan } from './trust-policy/policy-plan.ts';
import { trustPolicyPlanTable, trustPolicyProjection } from './trust-policy/projection.ts';
import { switchStatements } from './trust-policy/switch-statements.ts';
import { voidedReviewsProjection } from './voided-reviews/projection.ts';
import { webhooksProjection } from './webhooks/projection.ts';

// In this order: the directory reads the proofs of domains, and ratings, standing, changes and history read the evidence after the event.
const projectionsOf = (
  plan: PolicyPlan,
): { projections: readonly RegistryProjection[]; rescoredNow: RescoredBy | null } => {
  const evidence = trustEvidenceProjection(plan);
  const rescoredNow = evidence.rescoredBy.get(currentPolicy(plan).name) ?? null;
  const projections = [
    trustPolicyProjection(plan),
    organisationDirectoryProjection,
    orgDomainsProjection,
    agentDirectoryProjection,
    capabilityTaxonomyProjection,
    agentCredentialProjection,
    exchangeLedgerProjection,
    exchangeArchiveProjection,
    recentExchangesProjection,
    orgPaymentsProjection,
    voidedReviewsProjection,
    evidence,
    agentChangeProjection(rescoredNow),
    ratingsProjection,
    reviewAnswersProjection,
    agentStandingProjection(rescoredNow),
    trustHistoryProjection(plan, evidence.rescoredBy),
    webhooksProjection,
    operatorKeysProjection,
    organisationKeysProjection,
    organisationLimitsProjection,
    logClockProjection,
    dailyActivityProjection,
  ];
  return { projections, rescoredNow };
};

export type RegistryReadModelOptions = {
  /** The trust policies of a new build, read once when it begins; the built-in one alone if absent. */
  policies?: () => Promise<PolicyPlan>;
  /** The build is for other policies than the live one, so scores cannot be compared. */
  otherPolicies?: boolean;
  /** The log has archived exchanges. A new build does not see their events, so it remembers less of the past than the live one. */
  isArchived?: boolean;
  /** When exchanges leave the rows. Default: never, in this process. */
  exchangeRetention?: ExchangeRetentionOptions;
};

/** Tables of the past, which hold more the earlier they were built; none of them leads to a row of the others. */
const pastTables = [pastStandings, openPastStandings, logClock, logClockNow, dailyActivity];

/** Everything that can be read, computed from the log. Each folder here is one read model with its schema, projection and queries. */
export async function registryReadModel(
  options: RegistryReadModelOptions = {},
): Promise<ReadModel<ProjectedRegistryEvent>> {
  const schema = await loadSchema(projectionsOf(builtInPlan).projections);
  const builtFor = (plan: PolicyPlan): ReadModel<ProjectedRegistryEvent> => {
    const { projections, rescoredNow } = projectionsOf(plan);
    const varying = projections.flatMap(({ tables }) => tables).filter(({ variesWithBuild }) => variesWithBuild);
    return {
      projections,
      schema,
      notCompared: [
        ...(options.otherPolicies === true ? [...varying.map(({ name }) => name), trustPolicyPlanTable] : []),
        ...(options.isArchived === true ? pastTables.map(({ name }) => name) : []),
      ],
      ...(rescoredNow === null
        ? {}
        : {
            changedBeside: (events) => [...new Set(events.flatMap((event) => rescoredNow(event).changedRecords))],
          }),
      bulk: switchStatements(plan),
      upkeep: exchangeRetention(options.exchangeRetention ?? { olderThanMs: null }),
      afterWrites: ['ReviewsVoided'],
      decode: decodeRegistryEvent,
    };
  };
  return {
    ...builtFor(builtInPlan),
    forSchema: async (client, { position }) => {
      if (position !== null) return builtFor(await readPlan(client));
      const plan = (await options.policies?.()) ?? builtInPlan;
      await writePlan(client, plan);
      return builtFor(plan);
    },
  };
}
