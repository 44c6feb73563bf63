import { defineTable, type Rows, type Wanted } from '@agent-trust/projections';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

export const organisations = defineTable({
  name: 'organisation',
  columns: { orgId: 'text', orgName: 'text', contactEmail: 'text', createdAt: 'timestamptz', isDisabled: 'boolean' },
  key: ['orgId'],
});
/** The SHA-256 of the key that opens a universe for an organisation; no row where it was revoked. */
export const organisationKeys = defineTable({
  name: 'organisation_key',
  columns: { orgId: 'text', universe: 'text', keyHash: 'text' },
  key: ['orgId', 'universe'],
});

/** An organisation's agents, in either universe. An agent keeps its organisation for ever. */
export const organisationMembers = defineTable({
  name: 'organisation_member',
  columns: { orgId: 'text', agentId: 'text', joinedAt: 'double precision' },
  key: ['orgId', 'agentId'],
  range: { group: 'orgId', order: 'joinedAt' },
});
/** Until after any date: all agents of an organisation. */
export const everyMember = 8.64e15;

/** The organisation that an event disables or enables. */
const organisationSwitchedBy = (event: ProjectedRegistryEvent): string | null =>
  event.type === 'OrganisationDisabled' || event.type === 'OrganisationEnabled' ? event.data.orgId : null;

const nobody: readonly string[] = [];

/** The agents of the organisation that an event disables or enables; none for other events. `wantSwitchedMembers` has them loaded. */
export function switchedMembers(event: ProjectedRegistryEvent, rows: Pick<Rows, 'selectRange'>): readonly string[] {
  const orgId = organisationSwitchedBy(event);
  if (orgId === null) return nobody;
  return rows.selectRange(organisationMembers, orgId, everyMember).map(({ agentId }) => agentId);
}
export function wantSwitchedMembers(event: ProjectedRegistryEvent, wanted: Wanted): void {
  const orgId = organisationSwitchedBy(event);
  if (orgId !== null) wanted.range(organisationMembers, orgId, everyMember);
}

const productionUniverse = universeKey({ kind: 'production' });
const sandboxUniverse = (orgId: string): string => universeKey({ kind: 'sandbox', orgId });

export const organisationDirectoryProjection: RegistryProjection = {
  name: 'organisation-directory',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [organisations, organisationKeys, organisationMembers],
  reads: (event, wanted) => {
    const orgId = organisationSwitchedBy(event);
    if (orgId !== null) wanted.row(organisations, orgId);
  },
  apply: (event, rows) => {
    switch (event.type) {
      case 'OrganisationCreated': {
        const { orgId, orgName, contactEmail, createdAt, productionKeyHash, sandboxKeyHash } = event.data;
        rows.put(organisations, { orgId, orgName, contactEmail, createdAt: new Date(createdAt), isDisabled: false });
        rows.put(organisationKeys, { orgId, universe: productionUniverse, keyHash: productionKeyHash });
        rows.put(organisationKeys, { orgId, universe: sandboxUniverse(orgId), keyHash: sandboxKeyHash });
        return;
      }
      case 'AgentRegistered':
      case 'AgentAdopted': {
        const { agentId, orgId } = event.data;
        const joinedAt = Date.parse(event.type === 'AgentAdopted' ? event.data.adoptedAt : event.data.registeredAt);
        if (orgId !== null) rows.put(organisationMembers, { orgId, agentId, joinedAt });
        return;
      }
      case 'OrganisationDisabled':
      case 'OrganisationEnabled': {
        const organisation = rows.get(organisations, event.data.orgId);
        if (organisation === undefined) throw new Error(`organisation ${event.data.orgId} was never created`);
        rows.put(organisations, { ...organisation, isDisabled: event.type === 'OrganisationDisabled' });
        return;
      }
      case 'OrganisationKeysReissued': {
        const { orgId, productionKeyHash, sandboxKeyHash } = event.data;
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
