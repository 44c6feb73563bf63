import { loadMigrations, type ReadModel } from '@agent-trust/projections';
import { agentChangeProjection, agentChanges } from './agent-change/projection.ts';
import { agentCredentialProjection } from './agent-credential/projection.ts';
import { agentDirectoryProjection } from './agent-directory/projection.ts';
import { agentDirectoryPastProjection, pastAgents } from './agent-directory-past/projection.ts';
import { agentStandingProjection } from './agent-standing/projection.ts';
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
import { trustEvidencePastProjection } from './trust-evidence-past/projection.ts';
import { openPastEvidence, pastEvidence } from './trust-evidence-past/tables.ts';
import { trustHistoryProjection } from './trust-history/projection.ts';
import { webhooksProjection } from './webhooks/projection.ts';

/** The live schema; a replay builds in `read_models_next`. */
export const readModelSchema = 'read_models';

// In this order: ratings, standing and history read what the evidence has become, and the past what all of them were before.
const projections: readonly RegistryProjection[] = [
  organisationDirectoryProjection,
  agentDirectoryProjection,
  agentChangeProjection,
  capabilityTaxonomyProjection,
  agentCredentialProjection,
  exchangeLedgerProjection,
  orgPaymentsProjection,
  trustEvidenceProjection,
  ratingsProjection,
  agentStandingProjection,
  trustHistoryProjection,
  webhooksProjection,
  agentDirectoryPastProjection,
  agentStandingPastProjection,
  trustEvidencePastProjection,
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

/** Everything that can be read, computed from the log. Each folder here is one read model with its tables, projection and queries. */
export const registryReadModel = async (): Promise<ReadModel<ProjectedRegistryEvent>> => ({
  projections,
  migrations: await loadMigrations(folders.map((folder) => new URL(`./${folder}/`, import.meta.url))),
  notCompared,
  comparedWhenWhole,
  decode: decodeRegistryEvent,
});
