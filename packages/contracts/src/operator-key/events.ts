import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';
import { operatorRole } from '../operator/role.ts';
import { sha256Hex, timestamp } from '../text.ts';

/** All keys of operators. One stream, so that a name belongs to one key at a time, and their number has a limit that holds. */
export const operatorKeysStream = 'operator-keys';

/** From this event on, and until it expires, whoever has the key acts under its name. */
export const operatorKeyCreated = defineEvent(
  'OperatorKeyCreated',
  {
    operatorKeyId: z.string(),
    name: z.string(),
    role: operatorRole,
    keyHash: sha256Hex,
    createdAt: timestamp,
    expiresAt: timestamp,
  },
  { keysOf: { owner: 'operatorKeyId', keyHashes: ['keyHash'] } },
);

/** From this event on the key fails. */
export const operatorKeyRevoked = defineEvent(
  'OperatorKeyRevoked',
  { operatorKeyId: z.string(), name: z.string(), reason: z.string(), revokedAt: timestamp },
  { keysOf: { owner: 'operatorKeyId', keyHashes: [] } },
);

export type OperatorKeyCreated = z.infer<typeof operatorKeyCreated.event>;
export type OperatorKeyRevoked = z.infer<typeof operatorKeyRevoked.event>;
/** Events of the stream of the operators' keys. */
export const operatorKeyEvents = [operatorKeyCreated, operatorKeyRevoked] as const;
export type OperatorKeyEvent = EventOf<(typeof operatorKeyEvents)[number]>;
