import type { OrganisationScope } from '@agent-trust/contracts';
import { column, defineTable, type Rows } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

/** An organisation's named keys, by the SHA-256 of each, with the one of the secret that was replaced last. */
export const organisationNamedKeys = defineTable({
  name: 'organisation_named_key',
  columns: {
    orgId: 'text',
    keyId: 'text',
    universe: 'text',
    name: 'text',
    scopes: column<readonly OrganisationScope[]>('text[]'),
    keyHash: 'text',
    createdAt: 'double precision',
    replacedAt: 'timestamptz?',
    expiresAt: 'timestamptz',
    formerKeyHash: 'text?',
    formerEndsAt: 'timestamptz?',
    revokedAt: 'timestamptz?',
  },
  key: ['orgId', 'keyId'],
  range: { group: 'orgId', order: 'createdAt' },
});
/** Until after any date. */
const allOfThem = 8.64e15;

export const organisationKeysProjection: RegistryProjection = {
  name: 'organisation-keys',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [organisationNamedKeys],
  reads: (event, wanted) => {
    if (event.type === 'OrganisationKeyReplaced' || event.type === 'OrganisationKeyRevoked') {
      wanted.row(organisationNamedKeys, event.data.orgId, event.data.keyId);
    } else if (event.type === 'OrganisationKeysReissued') {
      wanted.range(organisationNamedKeys, event.data.orgId, allOfThem);
    }
  },
  apply: (event, rows) => {
    switch (event.type) {
      case 'OrganisationKeyCreated': {
        const { orgId, universe: kind, createdAt, expiresAt, ...key } = event.data;
        const universe = universeKey(kind === 'production' ? { kind } : { kind, orgId });
        const unreplaced = { replacedAt: null, formerKeyHash: null, formerEndsAt: null, revokedAt: null };
        const times = { createdAt: Date.parse(createdAt), expiresAt: new Date(expiresAt) };
        rows.put(organisationNamedKeys, { orgId, universe, ...key, ...times, ...unreplaced });
        return;
      }
      case 'OrganisationKeyReplaced': {
        const { orgId, keyId, keyHash, replacedAt, expiresAt, formerEndsAt } = event.data;
        const key = knownKey(rows, orgId, keyId);
        rows.put(organisationNamedKeys, {
          ...key,
          keyHash,
          replacedAt: new Date(replacedAt),
          expiresAt: new Date(expiresAt),
          formerKeyHash: key.keyHash,
          formerEndsAt: new Date(formerEndsAt),
        });
        return;
      }
      case 'OrganisationKeyRevoked': {
        const { orgId, keyId, revokedAt } = event.data;
        rows.put(organisationNamedKeys, { ...knownKey(rows, orgId, keyId), revokedAt: new Date(revokedAt) });
        return;
      }
      case 'OrganisationKeysReissued': {
        const { orgId, reissuedAt } = event.data;
        for (const key of rows.selectRange(organisationNamedKeys, orgId, allOfThem)) {
          if (key.revokedAt === null) rows.put(organisationNamedKeys, { ...key, revokedAt: new Date(reissuedAt) });
        }
        return;
      }
      default:
    }
  },
};

const knownKey = (rows: Rows, orgId: string, keyId: string) => {
  const key = rows.get(organisationNamedKeys, orgId, keyId);
  if (key === undefined) throw new Error(`key ${keyId} of organisation ${orgId} was never created`);
  return key;
};
