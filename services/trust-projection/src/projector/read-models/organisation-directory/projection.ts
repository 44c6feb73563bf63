import { defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

export const organisations = defineTable({
  name: 'organisation',
  columns: { orgId: 'text', orgName: 'text', contactEmail: 'text', createdAt: 'timestamptz' },
  key: ['orgId'],
});
/** The SHA-256 of the key that opens a universe for an organisation; no row where it was revoked. */
export const organisationKeys = defineTable({
  name: 'organisation_key',
  columns: { orgId: 'text', universe: 'text', keyHash: 'text' },
  key: ['orgId', 'universe'],
});

const productionUniverse = universeKey({ kind: 'production' });
const sandboxUniverse = (orgId: string): string => universeKey({ kind: 'sandbox', orgId });

export const organisationDirectoryProjection: RegistryProjection = {
  name: 'organisation-directory',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [organisations, organisationKeys],
  reads: () => undefined,
  apply: (event, rows) => {
    switch (event.type) {
      case 'OrganisationCreated': {
        const { orgId, orgName, contactEmail, createdAt, productionKeyHash, sandboxKeyHash } = event.data;
        rows.put(organisations, { orgId, orgName, contactEmail, createdAt: new Date(createdAt) });
        rows.put(organisationKeys, { orgId, universe: productionUniverse, keyHash: productionKeyHash });
        rows.put(organisationKeys, { orgId, universe: sandboxUniverse(orgId), keyHash: sandboxKeyHash });
        return;
      }
      case 'ProductionKeyReplaced': {
        const { orgId, productionKeyHash } = event.data;
        rows.put(organisationKeys, { orgId, universe: productionUniverse, keyHash: productionKeyHash });
        return;
      }
      case 'SandboxKeyIssued': {
        const { orgId, sandboxKeyHash } = event.data;
        rows.put(organisationKeys, { orgId, universe: sandboxUniverse(orgId), keyHash: sandboxKeyHash });
        return;
      }
      case 'SandboxKeyRevoked':
        rows.delete(organisationKeys, event.data.orgId, sandboxUniverse(event.data.orgId));
        return;
      default:
    }
  },
};
