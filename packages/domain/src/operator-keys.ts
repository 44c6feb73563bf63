import {
  DomainError,
  faultAt,
  limits,
  type OperatorKeyCreated,
  type OperatorKeyEvent,
  type OperatorKeyRevoked,
  type OperatorRole,
} from '@agent-trust/contracts';
import { type Decider, unreachable } from './decider.ts';

/** `now` and `expiresAt` are RFC 3339; `expiresAt` null is the default lifetime. */
export type CreateOperatorKey = {
  type: 'CreateOperatorKey';
  operatorKeyId: string;
  name: string;
  role: OperatorRole;
  keyHash: string;
  expiresAt: string | null;
  now: string;
};
/** `key` is an id or a name. */
export type RevokeOperatorKey = { type: 'RevokeOperatorKey'; key: string; reason: string; now: string };

export type OperatorKey = {
  operatorKeyId: string;
  name: string;
  expiresAt: string;
  revoked: { reason: string; revokedAt: string } | null;
};
/** Oldest first. */
export type OperatorKeysState = readonly OperatorKey[];

const dayMs = 86_400_000;

/** The rules of the stream of the operators' keys (`operatorKeysStream`). */
export const operatorKeysDecider: Decider<CreateOperatorKey | RevokeOperatorKey, OperatorKeysState, OperatorKeyEvent> =
  {
    initialState: [],
    evolve: (keys, event) => {
      switch (event.type) {
        case 'OperatorKeyCreated': {
          const { operatorKeyId, name, expiresAt } = event.data;
          return [...keys, { operatorKeyId, name, expiresAt, revoked: null }];
        }
        case 'OperatorKeyRevoked': {
          const { operatorKeyId, reason, revokedAt } = event.data;
          return keys.map((key) =>
            key.operatorKeyId === operatorKeyId ? { ...key, revoked: { reason, revokedAt } } : key,
          );
        }
        default:
          return unreachable(event);
      }
    },
    decide: (command, keys) => {
      switch (command.type) {
        case 'CreateOperatorKey':
          return createKey(command, keys);
        case 'RevokeOperatorKey':
          return revokeKey(command, keys);
        default:
          return unreachable(command);
      }
    },
  };

/** A key by its id, else the one of its name that is not revoked, else the last that had the name. Refusal: operator_key_not_found. */
export function findOperatorKey(keys: OperatorKeysState, key: string): OperatorKey {
  const named = keys.filter(({ name }) => name === key);
  const found =
    keys.find(({ operatorKeyId }) => operatorKeyId === key) ??
    named.findLast(({ revoked }) => revoked === null) ??
    named.at(-1);
  if (found === undefined) {
    throw new DomainError('operator_key_not_found', `there is no operator's key ${JSON.stringify(key)}`);
  }
  return found;
}

/** Refusals: operator_key_name_taken, operator_key_limit_reached, validation_failed for an expiry that is past or too far. */
const createKey = (command: CreateOperatorKey, keys: OperatorKeysState): OperatorKeyCreated[] => {
  const { operatorKeyId, name, role, keyHash, now } = command;
  const until = expiryOf(command);
  const working = keys.filter(({ revoked, expiresAt }) => revoked === null && Date.parse(expiresAt) > Date.parse(now));
  if (working.some((key) => key.name === name)) {
    throw new DomainError(
      'operator_key_name_taken',
      `a key of the name ${JSON.stringify(name)} works; revoke it first, or choose another name`,
    );
  }
  if (working.length >= limits.operatorKeysMax) {
    throw new DomainError(
      'operator_key_limit_reached',
      `${working.length} operators' keys work and ${limits.operatorKeysMax} may; one must be revoked first`,
    );
  }
  const owner = browserOwnerOf(name);
  if (owner !== null && working.filter((key) => browserOwnerOf(key.name) === owner).length >= limits.browserKeysMax) {
    throw new DomainError(
      'operator_key_limit_reached',
      `${limits.browserKeysMax} browsers are signed in as ${JSON.stringify(owner)}; the key of one must be revoked first`,
    );
  }
  return [
    { type: 'OperatorKeyCreated', data: { operatorKeyId, name, role, keyHash, createdAt: now, expiresAt: until } },
  ];
};

/** Whose browser a key is for, by the name that the gateway gives it; null for any other key. A browser's own browsers are its operator's. */
const browserOwnerOf = (name: string): string | null => /^(.+?)\.console-/u.exec(name)?.[1] ?? null;

const expiryOf = ({ expiresAt, now }: CreateOperatorKey): string => {
  const nowMs = Date.parse(now);
  if (expiresAt === null) return new Date(nowMs + limits.operatorKeyDaysDefault * dayMs).toISOString();
  const expiresMs = Date.parse(expiresAt);
  if (expiresMs <= nowMs || expiresMs > nowMs + limits.operatorKeyDaysMax * dayMs) {
    const rule = `must lie in the next ${limits.operatorKeyDaysMax} days`;
    throw faultAt('validation_failed', ['body', 'expires_at'], rule);
  }
  return new Date(expiresMs).toISOString();
};

const revokeKey = ({ key, reason, now }: RevokeOperatorKey, keys: OperatorKeysState): OperatorKeyRevoked[] => {
  const { operatorKeyId, name, revoked } = findOperatorKey(keys, key);
  return revoked === null
    ? [{ type: 'OperatorKeyRevoked', data: { operatorKeyId, name, reason, revokedAt: now } }]
    : [];
};
