import { isArchivedLeaf } from '@agent-trust/log-archive';
import { defineTable } from '@agent-trust/projections';
import type { LogRecordProjection } from '../log-record-event.ts';
import { agentsConcernedBy, credentialsOf, organisationsNamedBy, ownerAfter, universeOf } from './concerned.ts';

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

export const auditCredentials = defineTable({
  name: 'audit_credential',
  columns: { credential: 'text', position: 'bigint' },
  key: ['credential', 'position'],
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

const onlyRow = 1;

/** Finds every event of the log by its place, time, type, request, credentials, agents and organisations. */
export const auditTrailProjection: LogRecordProjection = {
  name: 'audit-trail',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [auditEvents, auditAgents, auditCredentials, auditOrganisations, auditAgentOwners, auditProgress],
  reads: ({ recorded }, wanted) => {
    const owned = ownerAfter(recorded)?.agentId;
    for (const agentId of agentsConcernedBy(recorded.data)) {
      if (agentId !== owned) wanted.row(auditAgentOwners, agentId);
    }
    wanted.row(auditProgress, onlyRow);
  },
  apply: ({ recorded }, rows) => {
    const { position, eventId, type, stream, revision, recordedAt, metadata } = recorded;
    const before = rows.get(auditProgress, onlyRow) ?? { events: 0n, logTime: recordedAt };
    const logTime = before.logTime > recordedAt ? before.logTime : recordedAt;
    rows.put(auditProgress, { onlyRow, events: before.events + 1n, logTime });
    // Of an event that has left the log before it was indexed, only the leaf is known; its segment is in archived_segment.
    if (isArchivedLeaf(recorded)) return;
    rows.insert(auditEvents, {
      position,
      eventId,
      type,
      stream,
      revision,
      recordedAt,
      leafIndex: before.events,
      logTime,
      actorKind: metadata.actor?.kind ?? null,
      actorId: metadata.actor?.id ?? null,
      correlationId: metadata.correlationId ?? null,
      causationId: metadata.causationId ?? null,
      universe: universeOf(recorded),
    });
    const owner = ownerAfter(recorded);
    if (owner !== null) rows.put(auditAgentOwners, owner);
    const agents = agentsConcernedBy(recorded.data);
    for (const agentId of agents) rows.insert(auditAgents, { agentId, position });
    for (const credential of credentialsOf(metadata)) rows.insert(auditCredentials, { credential, position });
    const owners = agents.flatMap((agentId) => rows.get(auditAgentOwners, agentId)?.orgId ?? []);
    for (const orgId of new Set([...organisationsNamedBy(recorded.data), ...owners])) {
      rows.insert(auditOrganisations, { orgId, position });
    }
  },
};
