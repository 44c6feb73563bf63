import type { EventLog } from '@agent-trust/event-log';
import type { CommitGate } from '@agent-trust/projections';
import type { Logger } from '@agent-trust/service-kit';
import { haltReplicas } from '../replicas/halt-replicas.ts';
import { queryLimits } from '../shared/limits.ts';
import { type LogFollower, startLogFollower } from '../shared/log-follower.ts';
import { readActivatedPolicies } from './activated-policies.ts';
import type { ProjectedRegistryEvent } from './read-models/registry-event.ts';
import { registryReadModel } from './read-models/registry-read-model.ts';
import { readModelSchema } from '../shared/database.ts';

/** Keeps the read models in step with the log. Each read model's `queries.ts` reads its tables. */
export async function startProjector(parts: {
  databaseUrl: string;
  log: EventLog;
  logger: Logger;
  starting?: (detail: string) => void;
  stopping?: AbortSignal;
  reachTimeoutMs?: number;
  /** When exchanges leave the read models; null for never. */
  exchangeRetentionMs?: number | null;
  /** Tells gateways that answer from memory what a batch changes. */
  gate?: CommitGate<ProjectedRegistryEvent>;
}): Promise<LogFollower> {
  const { log } = parts;
  return startLogFollower({
    reachTimeoutMs: queryLimits.atLeastWaitMs,
    ...parts,
    name: 'read_models',
    applicationName: 'trust-projection',
    schema: readModelSchema,
    beforeSwitch: () => haltReplicas({ connectionString: parts.databaseUrl }, readModelSchema),
    readModel: await registryReadModel({
      policies: () => readActivatedPolicies(log),
      exchangeRetention: { olderThanMs: parts.exchangeRetentionMs ?? null },
    }),
  });
}
