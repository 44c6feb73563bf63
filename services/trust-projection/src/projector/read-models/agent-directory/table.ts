import type { AgentConfiguration, SealedText } from '@agent-trust/contracts';
import { defineTable } from '@agent-trust/projections';

/** Who an agent is and what it says of itself. What it has earned is in agent-standing. */
export type AgentRow = {
  agentId: string;
  universe: string;
  orgId: string | null;
  orgName: string | null;
  orgNameKey: string | null;
  orgDomain: string | null;
  verified: boolean;
  publicKey: string | null;
  /** As the log has it: sealed. It is opened when it is asked for. */
  contactInfo: SealedText | null;
  /** The agent that this one's own stream pairs it with. */
  pairedAgentId: string | null;
  /** The same, once the pair is confirmed: both are registered and each names the other. */
  relatedAgentId: string | null;
  /** Has an endpoint, so that it can be found and called. */
  routable: boolean;
  messageProtocol: string;
  settlementRail: string[];
  configuration: AgentConfiguration;
  registeredAt: Date;
};

export const agents = defineTable<AgentRow>({
  name: 'agent',
  columns: {
    agentId: 'text',
    universe: 'text',
    orgId: 'text',
    orgName: 'text',
    orgNameKey: 'text',
    orgDomain: 'text',
    verified: 'boolean',
    publicKey: 'text',
    contactInfo: 'jsonb',
    pairedAgentId: 'text',
    relatedAgentId: 'text',
    routable: 'boolean',
    messageProtocol: 'text',
    settlementRail: 'text[]',
    configuration: 'jsonb',
    registeredAt: 'timestamptz',
  },
  key: ['agentId'],
});
