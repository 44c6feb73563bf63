import type { AgentConfiguration, SealedText } from '@agent-trust/contracts';
import { column, defineTable, type RowOf } from '@agent-trust/projections';

/** Who an agent is and what it says of itself. What it has earned is in agent-standing. */
export const agents = defineTable({
  name: 'agent',
  columns: {
    agentId: 'text',
    universe: 'text',
    orgId: 'text?',
    orgName: 'text?',
    orgNameKey: 'text?',
    orgDomain: 'text?',
    /** Of the org_domain, by the agent's own organisation; null without one. */
    domainProof: column<'proved' | 'lapsed' | null>('text'),
    verified: 'boolean',
    publicKey: 'text?',
    /** Sealed, as the log has it. Opened only for an answer. */
    contactInfo: column<SealedText | null>('jsonb'),
    /** The agent that this one's own stream pairs it with. */
    pairedAgentId: 'text?',
    /** The same, once the pair is confirmed: both are registered and each names the other. */
    relatedAgentId: 'text?',
    /** Has an endpoint and no block, so that it can be found and called. */
    routable: 'boolean',
    /** The operator has suspended it. */
    isSuspended: 'boolean',
    isRetired: 'boolean',
    /** Kept here too, because its agents then count as suspended. */
    isOrganisationDisabled: 'boolean',
    messageProtocol: 'text',
    settlementRail: 'text[]',
    configuration: column<AgentConfiguration>('jsonb'),
    registeredAt: 'timestamptz',
  },
  key: ['agentId'],
});
export type AgentRow = RowOf<typeof agents>;

/** What an answer about the past shows of a row; the rest never changes or is not shown. */
export type PastAgent = Pick<
  AgentRow,
  | 'universe'
  | 'orgId'
  | 'orgName'
  | 'orgDomain'
  | 'domainProof'
  | 'verified'
  | 'contactInfo'
  | 'relatedAgentId'
  | 'configuration'
  | 'isSuspended'
  | 'isRetired'
  | 'isOrganisationDisabled'
>;

export const pastAgents = defineTable({
  name: 'agent_past',
  columns: {
    agentId: 'text',
    untilPosition: 'bigint',
    /** The event that ended it cleared or erased the contact: no contact from before is shown again, for any moment. */
    hidesContacts: 'boolean',
    agent: column<PastAgent>('jsonb'),
  },
  key: ['agentId', 'untilPosition'],
  appendOnly: true,
});
