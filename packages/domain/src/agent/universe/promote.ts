import type { AgentEvent } from '@agent-trust/contracts';
import { ensureCapabilityWeightTiers } from '../capability-weight-tiers.ts';
import { changedFields } from '../changed-fields.ts';
import type { PromoteAgent } from '../commands.ts';
import { ensureConfirmedPair } from '../confirmed-pair.ts';
import { ensurePaymentFieldsOfPrices } from '../price-schedule-needs-payment-fields.ts';
import type { AgentState, RegisteredAgent } from '../state.ts';
import { orgDomainChange } from '../update/org-fields-after.ts';
import { promotedOrgDomain } from './what-promotion-copies.ts';

/** A promotion that the rules allow, as far as no reservation of an org_domain is needed to tell. */
export type AllowedPromotion = { live: RegisteredAgent; orgDomain: string | null };

/**
 * The rules that need no reservation, so that a promotion which breaks one reserves nothing. A draft of the organisation's own making
 * keeps the rules of business; one that the admin let break them does not carry that into production. Refusals, in this order:
 * not_a_confirmed_pair, capability_weights_exceeded, price_schedule_incomplete.
 */
export function ensurePromotable({ agentId, draft }: PromoteAgent, state: AgentState): AllowedPromotion {
  const live = ensureConfirmedPair(draft, agentId, state);
  ensureCapabilityWeightTiers(draft.configuration.capabilities);
  ensurePaymentFieldsOfPrices(draft.configuration, ['body', 'sandbox_agent_id']);
  return { live, orgDomain: promotedOrgDomain(draft, live) };
}

/** Gives the live agent its draft's configuration. That it was promoted is on record also where both were the same. Refuses with `org_domain_taken`. */
export function completePromotion(command: PromoteAgent, { live, orgDomain }: AllowedPromotion): AgentEvent[] {
  const { agentId, draft, now } = command;
  const { configuration } = draft;
  return [
    ...orgDomainChange(command, live, orgDomain),
    {
      type: 'ConfigurationPromoted',
      data: {
        agentId,
        fromAgentId: draft.agentId,
        configuration,
        changedFields: changedFields(live.configuration, configuration),
        promotedAt: now,
      },
    },
  ];
}

/** Refusals: those of `ensurePromotable`, then that of `completePromotion`. */
export function promoteAgent(command: PromoteAgent, state: AgentState): AgentEvent[] {
  return completePromotion(command, ensurePromotable(command, state));
}
