import { anyTable, defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

export type OrganisationRow = { orgId: string; orgName: string; contactEmail: string; createdAt: Date };
/** Which organisation and universe a key's SHA-256 opens. */
export type OrganisationKeyRow = { keyHash: string; orgId: string; universe: string };

export const organisations = defineTable<OrganisationRow>({
  name: 'organisation',
  columns: { orgId: 'text', orgName: 'text', contactEmail: 'text', createdAt: 'timestamptz' },
  key: ['orgId'],
});
export const organisationKeys = defineTable<OrganisationKeyRow>({
  name: 'organisation_key',
  columns: { keyHash: 'text', orgId: 'text', universe: 'text' },
  key: ['keyHash'],
});

export const organisationDirectoryProjection: RegistryProjection = {
  name: 'organisation-directory',
  tables: [anyTable(organisations), anyTable(organisationKeys)],
  reads: () => undefined,
  apply: (event, rows) => {
    if (event.type !== 'OrganisationCreated') return;
    const { orgId, orgName, contactEmail, createdAt, productionKeyHash, sandboxKeyHash } = event.data;
    rows.put(organisations, { orgId, orgName, contactEmail, createdAt: new Date(createdAt) });
    const sandbox = universeKey({ kind: 'sandbox', orgId });
    rows.put(organisationKeys, { keyHash: productionKeyHash, orgId, universe: universeKey({ kind: 'production' }) });
    rows.put(organisationKeys, { keyHash: sandboxKeyHash, orgId, universe: sandbox });
  },
};
