import { defineTable } from '@agent-trust/projections';

export const auditEvents = defineTable({
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
    actorKind: 'text?',
    actorId: 'text?',
    correlationId: 'text?',
    causationId: 'text?',
    universe: 'text?',
  },
  key: ['position'],
  appendOnly: true,
});

export const auditAgents = defineTable({
  name: 'audit_agent',
  columns: { agentId: 'text', position: 'bigint' },
  key: ['agentId', 'position'],
  appendOnly: true,
});

export const auditOrganisations = defineTable({
  name: 'audit_organisation',
  columns: { orgId: 'text', position: 'bigint' },
  key: ['orgId', 'position'],
  appendOnly: true,
});

export const auditAgentOwners = defineTable({
  name: 'audit_agent_owner',
  columns: { agentId: 'text', orgId: 'text' },
  key: ['agentId'],
});

/** One row: how many events there were so far, and the latest time that one was recorded at. */
export const auditProgress = defineTable({
  name: 'audit_progress',
  columns: { onlyRow: 'integer', events: 'bigint', logTime: 'timestamptz' },
  key: ['onlyRow'],
});
