import type { AgentIdentity, OrgIdentity } from '@agent-trust/contracts';
import type { AgentCaller, AnonymousCaller, OrganisationCaller } from '../http/caller/caller.ts';

/** Whose an Idempotency-Key is: nobody else's request is taken for a repetition. */
export type Scope = {
  /** Anybody can become one, as often as they like: a request without a credential, or an agent without an organisation. */
  isUnaffiliated: boolean;
  /** The organisation whose budget a new key counts against; null for the admin, and for unaffiliated callers, who have a store of their own. */
  orgId: string | null;
  parts: readonly string[];
};

/** The key belongs to who holds the credential, so that it stands when the credential is replaced; without one, to the agent_id. */
export function scopeOfCaller(
  caller: AnonymousCaller | Omit<AgentCaller, 'signer'> | OrganisationCaller | { kind: 'admin' },
  agentId: string,
): Scope {
  switch (caller.kind) {
    case 'anonymous':
      return { isUnaffiliated: true, orgId: null, parts: ['agent_id', agentId] };
    case 'agent':
      return scopeOfCredentials({ agent: caller.agent, organisation: null, admin: false });
    case 'organisation':
      return scopeOfCredentials({ agent: null, organisation: caller.organisation, admin: false });
    case 'admin':
      return scopeOfCredentials({ agent: null, organisation: null, admin: true });
    default:
      return caller satisfies never;
  }
}

/** Several credentials in one request are one scope of their own: they allow what none of them does alone. */
export function scopeOfCredentials({
  agent,
  organisation,
  admin,
}: {
  agent: AgentIdentity | null;
  organisation: OrgIdentity | null;
  admin: boolean;
}): Scope {
  const orgId = organisation?.orgId ?? agent?.orgId ?? null;
  return {
    isUnaffiliated: orgId === null && !admin,
    orgId: admin ? null : orgId,
    parts: [
      ...(agent === null ? [] : ['agent', agent.agentId]),
      ...(organisation === null ? [] : ['organisation', organisation.orgId, organisation.universe.kind]),
      ...(admin ? ['admin'] : []),
    ],
  };
}
