import type { AgentConfiguration } from '@agent-trust/contracts';
import type { RegisteredAgent } from '../state.ts';

/** A field that promotion copies, by its name in code. */
export type PromotedField = keyof AgentConfiguration | 'orgDomain';

/**
 * The whole configuration, and the org_domain where the draft has one. Never who an agent is (its id, organisation, contact and keys),
 * and never what it has earned.
 */
export function promotedFields({ configuration, orgDomain }: RegisteredAgent): PromotedField[] {
  return [
    ...(Object.keys(configuration) as (keyof AgentConfiguration)[]),
    ...(orgDomain === null ? [] : ['orgDomain' as const]),
  ];
}

/** A clone has no org_domain unless it was given one; the live agent then keeps its own. */
export function promotedOrgDomain(draft: RegisteredAgent, live: RegisteredAgent): string | null {
  return draft.orgDomain ?? live.orgDomain;
}
