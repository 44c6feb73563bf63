import { randomUUID } from 'node:crypto';
import {
  type Actor,
  createOperatorKey,
  createOperatorKeyRoute,
  limits,
  listOperatorKeys,
  listOperatorKeysRoute,
  type operatorKeyCreatedWire,
  type OperatorKeyRevokedWire,
  type OperatorKeyView,
  operatorKeyView,
  type OperatorRole,
  revokeOperatorKey,
  revokeOperatorKeyRoute,
  toWire,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ask } from '../../bus/ask.ts';
import { write } from '../../bus/read-your-writes.ts';
import { mintKey, sha256Hex } from '../../credentials/keys.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const createKey = endpoint(createOperatorKeyRoute, ({ body, actor, request }, gateway) => {
  const { name, role, expires_at: expiresAt = null } = body;
  return issueOperatorKey(gateway, request, { name, role, expiresAt, actor });
});

/** Creates a key, which only the answer shows. `expiresAt` null is the default lifetime. @throws as `write` does */
export function issueOperatorKey(
  gateway: Gateway,
  request: FastifyRequest,
  { name, role, expiresAt, actor }: { name: string; role: OperatorRole; expiresAt: string | null; actor: Actor },
): Promise<z.input<typeof operatorKeyCreatedWire>> {
  const operatorKeyId = randomUUID();
  const key = mintKey('operator');
  const shown = { key_id: operatorKeyId, key };
  return write(
    gateway,
    request,
    createOperatorKey,
    { operatorKeyId, name, role, keyHash: sha256Hex(key), expiresAt, actor },
    (made) => ({ ...shown, name, role, created_at: made.createdAt, expires_at: made.expiresAt }),
    {
      fields: shown,
      whileBehind: shown,
      advice: 'it is not known whether the key was created: if its name is taken now, this is the key',
    },
  );
}

const listKeys = endpoint(listOperatorKeysRoute, async ({ request }, gateway) => {
  const { keys } = await ask(gateway, request, listOperatorKeys, { limit: limits.operatorKeysListedMax });
  const lastUsed = await gateway.operatorKeyUses.lastOf(keys.map(({ operatorKeyId }) => operatorKeyId));
  const now = Date.now();
  return keys.map((key) => {
    const { operator_key_id, ...shown } = toWire(operatorKeyView, key);
    return {
      key_id: operator_key_id,
      ...shown,
      status: statusOf(key, now),
      last_used_at: lastUsed.get(key.operatorKeyId) ?? null,
    };
  });
});

const statusOf = ({ revokedAt, expiresAt }: OperatorKeyView, now: number): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(expiresAt) <= now ? 'expired' : 'active';
};

const revokeKey = endpoint(revokeOperatorKeyRoute, ({ params, body, actor, request }, gateway) => {
  const input = { key: params.key, reason: body.reason, actor };
  return write(
    gateway,
    request,
    revokeOperatorKey,
    input,
    ({ operatorKeyId, name, reason, revokedAt }) =>
      ({
        key_id: operatorKeyId,
        name,
        status: 'revoked',
        reason,
        revoked_at: revokedAt,
      }) satisfies OperatorKeyRevokedWire,
  );
});

export const operatorKeyEndpoints: readonly Endpoint[] = [createKey, listKeys, revokeKey];
