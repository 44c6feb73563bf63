import { loadMigrations, type ReadModel } from '@agent-trust/projections';
import { agentChangeProjection, agentChanges } from './agent-change/projection.ts';
import { agentCredentialProjection } from './agent-credential/projection.ts';
import { agentDirectoryProjection } from './agent-directory/projection.ts';
import { agentStandingProjection } from './agent-standing/projection.ts';
import { capabilityTaxonomyProjection } from './capability-taxonomy/projection.ts';
import { exchangeLedgerProjection } from './exchange-ledger/projection.ts';
import { orgPaymentsProjection } from './org-payments/projection.ts';
import { organisationDirectoryProjection } from './organisation-directory/projection.ts';
import { ratingsProjection } from './ratings/projection.ts';
import { decodeRegistryEvent, type ProjectedRegistryEvent, type RegistryProjection } from './registry-event.ts';
import { trustEvidenceProjection } from './trust-evidence/projection.ts';
import { trustHistoryProjection } from './trust-history/projection.ts';

/** The live schema; a replay builds in `read_models_next`. */
export const readModelSchema = 'read_models';

// In this order: standing and history read what the evidence has become.
const projections: readonly RegistryProjection[] = [
  organisationDirectoryProjection,
  agentDirectoryProjection,
  agentChangeProjection,
  capabilityTaxonomyProjection,
  agentCredentialProjection,
  exchangeLedgerProjection,
  ratingsProjection,
  orgPaymentsProjection,
  trustEvidenceProjection,
  agentStandingProjection,
  trustHistoryProjection,
];

// `retired` has no read model: the migrations of tables that were, which older databases have applied.
const folders = [
  'agent-change',
  'agent-credential',
  'agent-directory',
  'agent-standing',
  'capability-taxonomy',
  'exchange-ledger',
  'org-payments',
  'organisation-directory',
  'ratings',
  'retired',
  'trust-evidence',
  'trust-history',
];

// Positions here only order what changed; of agents that are older than the table a migration could not tell theirs.
const notCompared: readonly string[] = [agentChanges.name];

/** Everything that can be read, computed from the log. Each folder here is one read model with its tables, projection and queries. */
export const registryReadModel = async (): Promise<ReadModel<ProjectedRegistryEvent>> => ({
  projections,
  migrations: await loadMigrations(folders.map((folder) => new URL(`./${folder}/`, import.meta.url))),
  notCompared,
  decode: decodeRegistryEvent,
});
