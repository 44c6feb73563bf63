import { defineTable } from '@agent-trust/projections';

export type AuditEventRow = {
  position: bigint;
  leafIndex: bigint;
  eventId: string;
  type: string;
  stream: string;
  revision: bigint;
  recordedAt: Date;
  logTime: Date;
  actorKind: string | null;
  actorId: string | null;
  correlationId: string | null;
  causationId: string | null;
  universe: string | null;
};
export const auditEvents = defineTable<AuditEventRow>({
  name: 'audit_event',
  columns: {
    position: 'bigint',
    leafIndex: 'bigint',
    eventId: 'text',
    type: 'text',
    stream: 'text',
    revision: 'bigint',
    recordedAt: 'timestamptz',
    logTime: 'timestamptz',
    actorKind: 'text',
    actorId: 'text',
    correlationId: 'text',
    causationId: 'text',
    universe: 'text',
  },
  key: ['position'],
  appendOnly: true,
});

export const auditAgents = defineTable<{ agentId: string; position: bigint }>({
  name: 'audit_agent',
  columns: { agentId: 'text', position: 'bigint' },
  key: ['agentId', 'position'],
  appendOnly: true,
});

export const auditOrganisations = defineTable<{ orgId: string; position: bigint }>({
  name: 'audit_organisation',
  columns: { orgId: 'text', position: 'bigint' },
  key: ['orgId', 'position'],
  appendOnly: true,
});

export const auditAgentOwners = defineTable<{ agentId: string; orgId: string }>({
  name: 'audit_agent_owner',
  columns: { agentId: 'text', orgId: 'text' },
  key: ['agentId'],
});

/** One row: how many events there were so far, and the latest time that one was recorded at. */
export const auditProgress = defineTable<{ onlyRow: number; events: bigint; logTime: Date }>({
  name: 'audit_progress',
  columns: { onlyRow: 'integer', events: 'bigint', logTime: 'timestamptz' },
  key: ['onlyRow'],
});
