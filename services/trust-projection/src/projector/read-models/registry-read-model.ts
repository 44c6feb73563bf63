import { loadMigrations, type ReadModel } from '@agent-trust/projections';
import { agentChangeProjection, agentChanges } from './agent-change/projection.ts';
import { agentCredentialProjection } from './agent-credential/projection.ts';
import { agentDirectoryProjection } from './agent-directory/projection.ts';
import { agentDirectoryPastProjection, pastAgents } from './agent-directory-past/projection.ts';
import { agentStandingProjection } from './agent-standing/projection.ts';
import { agentStandings, registrySizes } from './agent-standing/tables.ts';
import { agentStandingPastProjection } from './agent-standing-past/projection.ts';
import { openPastStandings, pastStandings } from './agent-standing-past/tables.ts';
import { capabilityTaxonomyProjection } from './capability-taxonomy/projection.ts';
import { exchangeLedgerProjection } from './exchange-ledger/projection.ts';
import { orgPaymentsProjection } from './org-payments/projection.ts';
import { logClockProjection } from './log-clock/projection.ts';
import { logClock, logClockNow, pastKnownFromTable } from './log-clock/tables.ts';
import { organisationDirectoryProjection } from './organisation-directory/projection.ts';
import { ratings, ratingsProjection } from './ratings/projection.ts';
import { decodeRegistryEvent, type ProjectedRegistryEvent, type RegistryProjection } from './registry-event.ts';
import { trustEvidenceProjection } from './trust-evidence/projection.ts';
import { trustEvidence, trustPairs } from './trust-evidence/tables.ts';
import { trustEvidencePastProjection } from './trust-evidence-past/projection.ts';
import { openPastEvidence, pastEvidence } from './trust-evidence-past/tables.ts';
import { trustHistoryProjection } from './trust-history/projection.ts';
import { readPlan, writePlan } from './trust-policy/plan-of-schema.ts';
import { builtInPlan, type PolicyPlan } from './trust-policy/policy-plan.ts';
import { trustPolicyProjection } from './trust-policy/projection.ts';
import { switchStatements } from './trust-policy/switch-statements.ts';
import { formerTrustEvidence, formerTrustPairs, trustPolicyPlanTable } from './trust-policy/tables.ts';
import { webhooksProjection } from './webhooks/projection.ts';

// In this order: ratings, standing and history read what the evidence has become, and the past what all of them were before.
const projectionsOf = (plan: PolicyPlan): readonly RegistryProjection[] => [
  trustPolicyProjection(plan),
  organisationDirectoryProjection,
  agentDirectoryProjection,
  agentChangeProjection,
  capabilityTaxonomyProjection,
  agentCredentialProjection,
  exchangeLedgerProjection,
  orgPaymentsProjection,
  trustEvidenceProjection(plan),
  ratingsProjection,
  agentStandingProjection,
  trustHistoryProjection(plan),
  webhooksProjection,
  agentDirectoryPastProjection,
  agentStandingPastProjection,
  trustEvidencePastProjection(plan),
  logClockProjection,
];

// `retired` has no read model: the migrations of tables that were, which older databases have applied.
const folders = [
  'agent-change',
  'agent-credential',
  'agent-directory',
  'agent-directory-past',
  'agent-standing',
  'agent-standing-past',
  'capability-taxonomy',
  'exchange-ledger',
  'log-clock',
  'org-payments',
  'organisation-directory',
  'ratings',
  'retired',
  'trust-evidence',
  'trust-evidence-past',
  'trust-history',
  'trust-policy',
  'webhooks',
];

// Positions here only order what changed; of agents that are older than the table a migration could not tell theirs.
const notCompared: readonly string[] = [agentChanges.name];

// What was before, and what explains a review: in a read model that is older than these tables they begin in the middle.
const comparedWhenWhole = {
  emptyTable: pastKnownFromTable,
  tables: [
    pastKnownFromTable,
    ...[
      pastAgents,
      pastStandings,
      openPastStandings,
      pastEvidence,
      openPastEvidence,
      logClock,
      logClockNow,
      ratings,
    ].map(({ name }) => name),
  ],
};

// What is made of the current policy alone, so that nothing of it can be the same in read models of another one.
const scoredByCurrentPolicy: readonly string[] = [
  trustEvidence.name,
  trustPairs.name,
  agentStandings.name,
  registrySizes.name,
  pastEvidence.name,
  openPastEvidence.name,
  formerTrustEvidence.name,
  formerTrustPairs.name,
  trustPolicyPlanTable,
];

export type RegistryReadModelOptions = {
  /**
   * The trust policies that a new build is for, asked when its building begins; without it, the built-in one alone. A build that has begun
   * goes on with those that it was begun for.
   */
  policies?: () => Promise<PolicyPlan>;
  /** The build is for other policies than the live one, so that scores cannot be compared. */
  otherPolicies?: boolean;
};

/** Everything that can be read, computed from the log. Each folder here is one read model with its tables, projection and queries. */
export async function registryReadModel(
  options: RegistryReadModelOptions = {},
): Promise<ReadModel<ProjectedRegistryEvent>> {
  const migrations = await loadMigrations(folders.map((folder) => new URL(`./${folder}/`, import.meta.url)));
  const builtFor = (plan: PolicyPlan): ReadModel<ProjectedRegistryEvent> => ({
    projections: projectionsOf(plan),
    migrations,
    notCompared: options.otherPolicies === true ? [...notCompared, ...scoredByCurrentPolicy] : notCompared,
    comparedWhenWhole,
    bulk: switchStatements(plan),
    decode: decodeRegistryEvent,
  });
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
