import type {
  AgentConfiguration,
  ConfigurationChanged,
  ConfigurationField,
  ConfigurationPulled,
} from '@agent-trust/contracts';
import { ensureCapabilityWeightTiers } from '../capability-weight-tiers.ts';
import { changedFields } from '../changed-fields.ts';
import type { UpdateAgent } from '../commands.ts';
import { mergeCapabilities } from '../merge-capabilities.ts';
import { patchConfiguration } from '../patch-configuration.ts';
import { ensurePaymentFieldsOfPrices } from '../price-schedule-needs-payment-fields.ts';
import type { RegisteredAgent } from '../state.ts';

/** The agent's configuration, or the live counterpart's where that is pulled, with what the request names in place of its own. */
export function configurationAfter(
  command: UpdateAgent,
  agent: RegisteredAgent,
  live: RegisteredAgent | null,
): AgentConfiguration {
  const { capabilities } = command.configuration;
  return patchConfiguration((live ?? agent).configuration, {
    ...command.configuration,
    ...(capabilities === undefined ? {} : { capabilities: mergeCapabilities(capabilities) }),
  });
}

const priceFields: readonly ConfigurationField[] = ['priceSchedule', 'paymentNetwork', 'paymentPayTo', 'paymentAsset'];

/**
 * Holds what an update leads to to the rules of business, as far as the update touches on them: an agent that the admin let break one
 * can still change what is not concerned. Refusals: capability_weights_exceeded, price_schedule_incomplete.
 */
export function ensureAdmissibleConfiguration(
  command: UpdateAgent,
  before: AgentConfiguration,
  after: AgentConfiguration,
): void {
  const changed = changedFields(before, after);
  const touches = (field: ConfigurationField): boolean =>
    changed.includes(field) || command.configuration[field] !== undefined;
  if (touches('capabilities')) ensureCapabilityWeightTiers(after.capabilities);
  if (priceFields.some(touches)) ensurePaymentFieldsOfPrices(after);
}

/** One event for all that changed; a pull says where from. */
export function configurationChange(
  command: UpdateAgent,
  before: AgentConfiguration,
  configuration: AgentConfiguration,
): (ConfigurationChanged | ConfigurationPulled)[] {
  const { agentId, pull, now } = command;
  const changed = changedFields(before, configuration);
  if (changed.length === 0) return [];
  const data = { agentId, configuration, changedFields: changed };
  return pull === null
    ? [{ type: 'ConfigurationChanged', data: { ...data, changedAt: now } }]
    : [{ type: 'ConfigurationPulled', data: { ...data, fromAgentId: pull.fromAgentId, pulledAt: now } }];
}
