import { archiveStream } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { ConnectionSettings } from '@agent-trust/projections';
import { readModelSchema, withConnection } from '../../shared/database.ts';
import { isSamePlan, type PolicyPlan, readPlanOf } from '../../projector/read-models/trust-policy/policy-plan.ts';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';

/**
 * The trust policies of the live read models and of the log, which differ if the switch after an activation was interrupted; and whether
 * exchanges have left the log.
 */
export async function plansOf(
  connection: ConnectionSettings,
  log: EventLog,
): Promise<{ live: PolicyPlan; wanted: PolicyPlan; otherPolicies: boolean; isArchived: boolean }> {
  const live = await withConnection(connection, (client) => readPlanOf(client, readModelSchema));
  const wanted = await readActivatedPolicies(log);
  const isArchived = (await log.readStream(archiveStream, { countMax: 1 })).length > 0;
  return { live, wanted, otherPolicies: !isSamePlan(live, wanted), isArchived };
}
