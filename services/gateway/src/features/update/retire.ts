import { type AgentRetiredWire, type OwnerAuthority, retireAgent, retireRoute } from '@agent-trust/contracts';
import { write } from '../../bus/read-your-writes.ts';
import type { CallerOf } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const retire: Endpoint = endpoint(retireRoute, ({ body, caller, actor, request }, gateway) => {
  const agentId = body.agent_id;
  const input = { agentId, authority: authorityOf(caller), actor };
  return write(
    gateway,
    request,
    retireAgent,
    input,
    ({ retiredAt }) => ({ agent_id: agentId, status: 'retired', retired_at: retiredAt }) satisfies AgentRetiredWire,
  );
});

const authorityOf = (caller: CallerOf<'agent' | 'organisation' | 'admin_token'>): OwnerAuthority => {
  switch (caller.kind) {
    case 'organisation':
      return { kind: 'organisation', orgId: caller.organisation.orgId, universe: caller.organisation.universe };
    case 'agent':
      return { kind: 'agent', agentId: caller.agent.agentId };
    case 'admin':
      return { kind: 'admin' };
    default:
      return caller satisfies never;
  }
};
