import { DomainError, production } from '@agent-trust/contracts';
import type { AgentRecord } from '../../projector/read-models/agent-directory/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import type { Lookup } from '../lookup.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';

/**
 * A draft of an organisation's sandbox with the record that counts for it: its own, or that of the live agent with which it is a
 * confirmed pair.
 *
 * @throws DomainError agent_not_found
 */
export async function findDraft(
  agentById: Lookup<AgentRecord>,
  { orgId, sandboxAgentId }: { orgId: string; sandboxAgentId: string },
): Promise<{ draft: AgentRecord; live: AgentRecord | null }> {
  const draft = await agentById(sandboxAgentId);
  if (draft === null || draft.universe !== universeKey({ kind: 'sandbox', orgId }) || draft.orgId !== orgId) {
    throw new DomainError('agent_not_found', "no agent of this id is in the organisation's sandbox");
  }
  const live = draft.relatedAgentId === null ? null : await agentById(draft.relatedAgentId);
  const isPair =
    live?.relatedAgentId === draft.agentId && live.orgId === orgId && live.universe === universeKey(production);
  if (live === null || !isPair) return { draft, live: null };
  const { verified, trustPolicy, trustScore, transactionCount, reviewCount, successCount, lastTransactionAt } = live;
  const earned = { verified, trustPolicy, trustScore, transactionCount, reviewCount, successCount, lastTransactionAt };
  return { draft: { ...draft, ...earned }, live };
}

/** A name that the draft has would be canonical when the draft is live, and then it is met by itself and not by what is close to it. */
export function meantByDraft(draft: AgentRecord, resolved: readonly ResolvedCapability[]): ResolvedCapability[] {
  const own = new Set(draft.configuration.capabilities.map(({ name }) => name));
  return resolved.filter(({ how, required }) => how !== 'close' || !own.has(required));
}
