import { normaliseOrgName } from '@agent-trust/domain';
import { anyTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

import { agents } from './table.ts';

export const agentDirectoryProjection: RegistryProjection = {
  name: 'agent-directory',
  tables: [anyTable(agents)],
  reads: () => undefined,
  apply: (event, rows) => {
    if (event.type !== 'AgentRegistered') return;
    const { data } = event;
    rows.put(agents, {
      agentId: data.agentId,
      universe: universeKey(data.universe),
      orgId: data.orgId,
      orgName: data.orgName,
      orgNameKey: data.orgName === null ? null : normaliseOrgName(data.orgName),
      orgDomain: data.orgDomain,
      verified: data.verified,
      publicKey: data.publicKey,
      contactInfo: data.contact.contactInfo,
      contactEmail: data.contact.contactEmail,
      relatedAgentId: null,
      routable: data.configuration.endpointUrl !== null,
      messageProtocol: data.configuration.messageProtocol,
      settlementRail: data.configuration.settlementRail ?? [],
      configuration: data.configuration,
      registeredAt: new Date(data.registeredAt),
    });
  },
};
