import type { AgentIdentity, OrgIdentity } from '@agent-trust/contracts';
import type {
  AgentCaller,
  AnonymousCaller,
  Credentials,
  OperatorCaller,
  OrganisationCaller,
} from '../http/caller/caller.ts';
import { isNamed, type Operator } from '../http/caller/operator/operator.ts';

/** The owner of an Idempotency-Key: only its own requests are repetitions. */
export type Scope = {
  /** A request without a credential, or an agent without an organisation: anybody can have any number of these. */
  isUnaffiliated: boolean;
  /** The organisation whose budget a new key counts against; null for operators and for unaffiliated callers, who have their own store. */
  orgId: string | null;
  parts: readonly string[];
};

/**
 * Whose key it is where what is asked may be asked without a credential. Where that is closed, an anonymous caller has a credential that the
 * route does not read: without it, another one who sends the same would get the answer to the first.
 */
export function scopeOfSender(
  caller: AnonymousCaller | OrganisationCaller | OperatorCaller,
  { agentByKey, signer, organisation, operator }: Credentials,
  agentId: string,
): Scope {
  const agent = agentByKey ?? signer?.agent ?? null;
  return caller.kind === 'anonymous' && (agent ?? organisation ?? operator) !== null
    ? scopeOfCredentials({ agent, organisation, operator })
    : scopeOfCaller(caller, agentId);
}

/** The key belongs to the holder of the credential, so that it outlives a replaced credential; without one, to the agent_id. */
export function scopeOfCaller(
  caller: AnonymousCaller | Omit<AgentCaller, 'signer'> | OrganisationCaller | OperatorCaller,
  agentId: string,
): Scope {
  switch (caller.kind) {
    case 'anonymous':
      return { isUnaffiliated: true, orgId: null, parts: ['agent_id', agentId] };
    case 'agent':
      return scopeOfCredentials({ agent: caller.agent, organisation: null, operator: null });
    case 'organisation':
      return scopeOfCredentials({ agent: null, organisation: caller.organisation, operator: null });
    case 'operator':
      return scopeOfCredentials({ agent: null, organisation: null, operator: caller.operator });
    default:
      return caller satisfies never;
  }
}

/** Several credentials in one request are a scope of their own: they allow more than each alone. */
export function scopeOfCredentials({
  agent,
  organisation,
  operator,
}: {
  agent: AgentIdentity | null;
  organisation: OrgIdentity | null;
  operator: Operator | null;
}): Scope {
  const orgId = organisation?.orgId ?? agent?.orgId ?? null;
  return {
    isUnaffiliated: orgId === null && operator === null,
    orgId: operator === null ? orgId : null,
    parts: [
      ...(agent === null ? [] : ['agent', agent.agentId]),
      ...(organisation === null ? [] : ['organisation', organisation.orgId, organisation.universe.kind]),
      ...(operator === null ? [] : partsOfOperator(operator)),
    ],
  };
}

/** A name of one issuer is not the same name of another. */
const partsOfOperator = (operator: Operator): string[] =>
  isNamed(operator) ? [operator.by, operator.issuer ?? '', operator.id] : ['admin'];
