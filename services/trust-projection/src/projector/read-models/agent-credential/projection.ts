import { defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';

/** The SHA-256 of each agent's present bearer key. */
export const agentCredentials = defineTable({
  name: 'agent_credential',
  columns: { agentId: 'text', keyHash: 'text', rotatedAt: 'timestamptz' },
  key: ['agentId'],
});

export const agentCredentialProjection: RegistryProjection = {
  name: 'agent-credential',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [agentCredentials],
  reads: () => undefined,
  apply: (event, rows) => {
    if (event.type !== 'KeyRotated') return;
    const { agentId, keyHash, rotatedAt } = event.data;
    rows.put(agentCredentials, { agentId, keyHash, rotatedAt: new Date(rotatedAt) });
  },
};
