import { column, defineTable } from '@agent-trust/projections';
import { type AgentRow, agents } from '../agent-directory/table.ts';
import { agentsChangedBy, type RegistryProjection } from '../registry-event.ts';

/** Of the directory's row what a past answer shows; the rest never changes, or nobody is shown it. */
export type PastAgent = Pick<
  AgentRow,
  'universe' | 'orgId' | 'orgName' | 'orgDomain' | 'verified' | 'contactInfo' | 'relatedAgentId' | 'configuration'
>;

export const pastAgents = defineTable({
  name: 'agent_past',
  columns: {
    agentId: 'text',
    untilPosition: 'bigint',
    /** The event that ended it erased personal data: nothing of it from before is ever shown again, at whatever moment it is asked for. */
    erased: 'boolean',
    agent: column<PastAgent>('jsonb'),
  },
  key: ['agentId', 'untilPosition'],
  appendOnly: true,
});

const shownOf = (row: Readonly<AgentRow>): PastAgent => {
  const { universe, orgId, orgName, orgDomain, verified, contactInfo, relatedAgentId, configuration } = row;
  return { universe, orgId, orgName, orgDomain, verified, contactInfo, relatedAgentId, configuration };
};

/** Keeps what the directory's rows were: the row as an event found it, under the position of that event. */
export const agentDirectoryPastProjection: RegistryProjection = {
  name: 'agent-directory-past',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [pastAgents],
  readsFrom: [agents],
  reads: (event, wanted) => {
    for (const agentId of agentsChangedBy(event)) wanted.row(agents, agentId);
  },
  apply: (event, rows) => {
    for (const agentId of agentsChangedBy(event)) {
      const before = rows.getBefore(agents, agentId);
      const erased = event.type === 'PersonalDataErased';
      if (before === undefined || (!erased && before === rows.get(agents, agentId))) continue;
      rows.insert(pastAgents, { agentId, untilPosition: event.position, erased, agent: shownOf(before) });
    }
  },
};
