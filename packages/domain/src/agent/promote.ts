import { type AgentConfiguration, type AgentEvent, DomainError } from '@agent-trust/contracts';
import { ensureInService } from './block.ts';
import type { PromoteAgent } from './commands.ts';
import { changedFields, ensureCapabilityWeightTiers, ensurePaymentFieldsOfPrices } from './configuration.ts';
import { ensureOwnAgent } from './move.ts';
import { ensureConfirmedPair } from './pairs.ts';
import type { AgentState, RegisteredAgent } from './state.ts';
import { orgDomainChange } from './updated-fields.ts';

/** Only a sandbox agent of the organisation can be promoted. Refusals, in this order: agent_not_found, wrong_universe. */
export function ensureDraft(agentId: string, orgId: string, state: AgentState): RegisteredAgent {
  const draft = ensureOwnAgent(agentId, orgId, state);
  if (draft.universe.kind === 'sandbox') return draft;
  throw new DomainError(
    'wrong_universe',
    `agent ${JSON.stringify(agentId)} lives in production; only a sandbox agent is promoted`,
  );
}

/** The live agent that a draft is promoted onto: the requested one, else its pair. Refuses with `not_a_confirmed_pair`. */
export function liveAgentIdOf(draft: RegisteredAgent, requested: string | null): string {
  const liveAgentId = requested ?? draft.relatedAgentId;
  if (liveAgentId !== null) return liveAgentId;
  throw new DomainError(
    'not_a_confirmed_pair',
    `agent ${JSON.stringify(draft.agentId)} is not the clone of a live agent; publish moves it into production itself`,
  );
}

/** An allowed promotion, and the org_domain that the live agent gets: the draft's if it has one, else its own. */
export type AllowedPromotion = { live: RegisteredAgent; orgDomain: string | null };

/**
 * Checks the rules that need no reservation, so that a refused promotion reserves nothing. The business rules apply even if the admin let
 * the draft break them. Refusals, in this order: not_a_confirmed_pair, agent_suspended, agent_retired, capability_weights_exceeded, price_schedule_incomplete.
 */
export function ensurePromotable({ agentId, draft }: PromoteAgent, state: AgentState): AllowedPromotion {
  const live = ensureConfirmedPair(draft, agentId, state);
  ensureInService(draft);
  ensureInService(live);
  ensureCapabilityWeightTiers(draft.configuration.capabilities);
  ensurePaymentFieldsOfPrices(draft.configuration, ['body', 'sandbox_agent_id']);
  return { live, orgDomain: draft.orgDomain ?? live.orgDomain };
}

/** Gives the live agent its draft's configuration; recorded even if both are the same. Refuses with `org_domain_taken`. */
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

/** A field that promotion copies, by its name in code. */
type PromotedField = keyof AgentConfiguration | 'orgDomain';

/** The whole configuration, and the draft's org_domain if it has one; never identity, contact, keys or reputation. */
export function promotedFields({ configuration, orgDomain }: RegisteredAgent): PromotedField[] {
  return [
    ...(Object.keys(configuration) as (keyof AgentConfiguration)[]),
    ...(orgDomain === null ? [] : ['orgDomain' as const]),
  ];
}
