import type { LogRecordProjection } from '../log-record-event.ts';
import { agentsConcernedBy, organisationsNamedBy, ownerAfter, universeOf } from './concerned.ts';
import { auditAgentOwners, auditAgents, auditEvents, auditOrganisations, auditProgress } from './tables.ts';

const onlyRow = 1;

/** Finds every event of the log by its place, time, type, request, agents and organisations. */
export const auditTrailProjection: LogRecordProjection = {
  name: 'audit-trail',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [auditEvents, auditAgents, auditOrganisations, auditAgentOwners, auditProgress],
  reads: ({ recorded }, wanted) => {
    for (const agentId of agentsConcernedBy(recorded.data)) wanted.row(auditAgentOwners, agentId);
    wanted.row(auditProgress, onlyRow);
  },
  apply: ({ recorded }, rows) => {
    const { position, recordedAt, metadata } = recorded;
    const before = rows.get(auditProgress, onlyRow) ?? { events: 0n, logTime: recordedAt };
    const logTime = before.logTime > recordedAt ? before.logTime : recordedAt;
    rows.put(auditProgress, { onlyRow, events: before.events + 1n, logTime });
    rows.insert(auditEvents, {
      position,
      leafIndex: before.events,
      eventId: recorded.eventId,
      type: recorded.type,
      stream: recorded.stream,
      revision: recorded.revision,
      recordedAt,
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
    const owners = agents.flatMap((agentId) => rows.get(auditAgentOwners, agentId)?.orgId ?? []);
    for (const orgId of new Set([...organisationsNamedBy(recorded.data), ...owners])) {
      rows.insert(auditOrganisations, { orgId, position });
    }
  },
};
