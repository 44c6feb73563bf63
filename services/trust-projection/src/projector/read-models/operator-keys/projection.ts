import { defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';

/** The operators' keys, by the SHA-256 of each, with who created them. */
export const operatorKeys = defineTable({
  name: 'operator_key',
  columns: {
    operatorKeyId: 'text',
    keyHash: 'text',
    name: 'text',
    role: 'text',
    createdAt: 'timestamptz',
    createdById: 'text?',
    createdByIssuer: 'text?',
    expiresAt: 'timestamptz',
    revokedAt: 'timestamptz?',
    revokedFor: 'text?',
  },
  key: ['operatorKeyId'],
});

export const operatorKeysProjection: RegistryProjection = {
  name: 'operator-keys',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [operatorKeys],
  reads: (event, wanted) => {
    if (event.type === 'OperatorKeyRevoked') wanted.row(operatorKeys, event.data.operatorKeyId);
  },
  apply: (event, rows) => {
    if (event.type === 'OperatorKeyCreated') {
      const { operatorKeyId, keyHash, name, role, createdAt, expiresAt } = event.data;
      rows.put(operatorKeys, {
        operatorKeyId,
        keyHash,
        name,
        role,
        createdAt: new Date(createdAt),
        createdById: event.actor?.id ?? null,
        createdByIssuer: event.actor?.issuer ?? null,
        expiresAt: new Date(expiresAt),
        revokedAt: null,
        revokedFor: null,
      });
    } else if (event.type === 'OperatorKeyRevoked') {
      const { operatorKeyId, reason, revokedAt } = event.data;
      const key = rows.get(operatorKeys, operatorKeyId);
      if (key === undefined) throw new Error(`operator key ${operatorKeyId} was never created`);
      rows.put(operatorKeys, { ...key, revokedAt: new Date(revokedAt), revokedFor: reason });
    }
  },
};
