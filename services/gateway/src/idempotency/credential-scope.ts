import type { Caller } from '../authentication/authenticate.ts';
import type { Credentials } from '../authentication/credentials-of.ts';

/** Whose an Idempotency-Key is: nobody else's request is taken for a repetition. */
export type Scope = { isStranger: boolean; parts: readonly string[] };

/** The key belongs to who holds the credential, so that it stands when the credential is replaced; without one, to the agent_id. */
export const scopeOfCaller = (caller: Caller, agentId: string): Scope => {
  switch (caller.kind) {
    case 'anonymous':
      return { isStranger: true, parts: ['agent_id', agentId] };
    case 'agent':
      return scopeOfCredentials({ agent: caller.agent, organisation: null, admin: false });
    case 'organisation':
      return scopeOfCredentials({ agent: null, organisation: caller.organisation, admin: false });
    case 'admin':
      return scopeOfCredentials({ agent: null, organisation: null, admin: true });
    default:
      return caller satisfies never;
  }
};

/** Several credentials in one request are one scope of their own: they allow what none of them does alone. */
export const scopeOfCredentials = ({ agent, organisation, admin }: Credentials): Scope => ({
  isStranger: false,
  parts: [
    ...(agent === null ? [] : ['agent', agent.agentId]),
    ...(organisation === null ? [] : ['organisation', organisation.orgId, organisation.universe.kind]),
    ...(admin ? ['admin'] : []),
  ],
});
