import { agentWhoamiRoute, operatorWhoamiRoute } from '@agent-trust/contracts';
import { isNamed } from '../../http/caller/operator/operator.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const agentWhoami = endpoint(agentWhoamiRoute, async ({ caller: { agent } }) => ({
  agent_id: agent.agentId,
  org_id: agent.orgId,
  is_sandbox: agent.universe.kind === 'sandbox',
}));

const operatorWhoami = endpoint(operatorWhoamiRoute, async ({ caller: { operator } }) => {
  // The route reads no admin key.
  if (!isNamed(operator)) {
    return { name: null, issuer: null, role: 'admin' as const, credential: 'admin_token' as const, expires_at: null };
  }
  const { id, issuer, role, by, expiresAt } = operator;
  if (role === null) throw new Error('an operator without a role was let in');
  return { name: id, issuer, role, credential: by, expires_at: expiresAt };
});

/** Whose a credential is. That of an organisation: GET /org/whoami. */
export const whoamiEndpoints: readonly Endpoint[] = [agentWhoami, operatorWhoami];
