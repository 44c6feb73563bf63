import {
  DomainError,
  faultAt,
  limits,
  type OrganisationKeyCreated,
  type OrganisationKeyReplaced,
  type OrganisationKeyRevoked,
  type OrganisationScope,
  sortedScopes,
  type UniverseKind,
} from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';

/** A key in addition to the organisation's own two. Times are RFC 3339. */
export type NamedKey = {
  keyId: string;
  universe: UniverseKind;
  name: string;
  scopes: readonly OrganisationScope[];
  keyHash: string;
  /** When its present secret was made, */
  issuedAt: string;
  /** and until when it works. */
  expiresAt: string;
  revokedAt: string | null;
};

/** Commands for the organisation's own key of the universe. `key` is an id or a name. */
type ByOwnKey = { universe: UniverseKind; presentedKeyHash: string; now: string };
type CreateOrganisationKey = ByOwnKey & {
  type: 'CreateOrganisationKey';
  keyId: string;
  name: string;
  scopes: readonly OrganisationScope[];
  keyHash: string;
  /** Null is the default lifetime. */
  expiresAt: string | null;
};
type ReplaceOrganisationKey = ByOwnKey & {
  type: 'ReplaceOrganisationKey';
  key: string;
  keyHash: string;
  /** Null is as long a life as the replaced secret had. */
  expiresAt: string | null;
  /** How long the replaced secret goes on working; 0: it fails at once. */
  overlapSeconds: number;
};
type RevokeOrganisationKey = ByOwnKey & { type: 'RevokeOrganisationKey'; key: string };
export type NamedKeyCommand = CreateOrganisationKey | ReplaceOrganisationKey | RevokeOrganisationKey;
export type NamedKeyEvent = OrganisationKeyCreated | OrganisationKeyReplaced | OrganisationKeyRevoked;

const dayMs = 86_400_000;

/** Oldest first. */
type NamedKeys = readonly NamedKey[];
type KeyHolder = { orgId: string; namedKeys: NamedKeys };

/** What an event does to an organisation's named keys. */
export function evolveNamedKeys(keys: NamedKeys, { type, data }: NamedKeyEvent): NamedKeys {
  if (type === 'OrganisationKeyCreated') {
    const { keyId, universe, name, scopes, keyHash, createdAt: issuedAt, expiresAt } = data;
    return [...keys, { keyId, universe, name, scopes, keyHash, issuedAt, expiresAt, revokedAt: null }];
  }
  const change =
    type === 'OrganisationKeyReplaced'
      ? { keyHash: data.keyHash, issuedAt: data.replacedAt, expiresAt: data.expiresAt }
      : { revokedAt: data.revokedAt };
  return keys.map((key) => (key.keyId === data.keyId ? { ...key, ...change } : key));
}

/** After an operator replaced the organisation's keys. */
export function allRevoked(keys: NamedKeys, revokedAt: string): NamedKeys {
  return keys.map((key) => (key.revokedAt === null ? { ...key, revokedAt } : key));
}

/** A key of the universe by its id, else the one of its name that is not revoked, else the last that had the name. Refusal: org_key_not_found. */
export function findNamedKey(keys: NamedKeys, universe: UniverseKind, key: string): NamedKey {
  const inUniverse = keys.filter((one) => one.universe === universe);
  const named = inUniverse.filter(({ name }) => name === key);
  const found =
    inUniverse.find(({ keyId }) => keyId === key) ??
    named.findLast(({ revokedAt }) => revokedAt === null) ??
    named.at(-1);
  if (found !== undefined) return found;
  throw new DomainError(
    'org_key_not_found',
    `the organisation has no key ${JSON.stringify(key)} in this universe (${universe}): the list of its keys has their names and ids`,
  );
}

/** Decides on a command of the organisation's own key. Refusals: org_key_not_found, org_key_name_taken, org_key_limit_reached, org_key_ended, validation_failed. */
export function changeNamedKeys(command: NamedKeyCommand, organisation: KeyHolder): NamedKeyEvent[] {
  switch (command.type) {
    case 'CreateOrganisationKey':
      return createNamedKey(command, organisation);
    case 'ReplaceOrganisationKey':
      return replaceNamedKey(command, organisation);
    case 'RevokeOrganisationKey':
      return revokeNamedKey(command, organisation);
    default:
      return unreachable(command);
  }
}

/** Refusals: org_key_name_taken, org_key_limit_reached, validation_failed for an expiry that is past or too far. */
const createNamedKey = (command: CreateOrganisationKey, { orgId, namedKeys }: KeyHolder): OrganisationKeyCreated[] => {
  const { keyId, universe, name, keyHash, now, expiresAt } = command;
  const until = expiresAt === null ? later(now, limits.orgKeyDaysDefault * dayMs) : checkedExpiry(expiresAt, now);
  const working = namedKeys.filter((key) => key.universe === universe && works(key, now));
  if (working.some((key) => key.name === name)) {
    throw new DomainError(
      'org_key_name_taken',
      `a key of the name ${JSON.stringify(name)} works; replace or revoke it, or choose another name`,
    );
  }
  if (working.length >= limits.orgKeysMax) {
    throw new DomainError(
      'org_key_limit_reached',
      `${working.length} named keys work in this universe and ${limits.orgKeysMax} may; one must be revoked first`,
    );
  }
  const scopes = sortedScopes(command.scopes);
  const data = { orgId, keyId, universe, name, scopes, keyHash, createdAt: now, expiresAt: until };
  return [{ type: 'OrganisationKeyCreated', data }];
};

/** The replaced secret never works for longer than it would have, nor than its key: a name is free and a place is, once a key has expired. Refusals: org_key_not_found, org_key_ended, validation_failed. */
const replaceNamedKey = (
  command: ReplaceOrganisationKey,
  { orgId, namedKeys }: KeyHolder,
): OrganisationKeyReplaced[] => {
  const { universe, keyHash, expiresAt, overlapSeconds, now } = command;
  const key = findNamedKey(namedKeys, universe, command.key);
  if (!works(key, now)) {
    const ended = key.revokedAt === null ? `expired at ${key.expiresAt}` : `was revoked at ${key.revokedAt}`;
    throw new DomainError('org_key_ended', `the key ${JSON.stringify(key.name)} ${ended}; create another one`);
  }
  const until =
    expiresAt === null
      ? later(now, Date.parse(key.expiresAt) - Date.parse(key.issuedAt))
      : checkedExpiry(expiresAt, now);
  const formerEndsAt = earliest(later(now, overlapSeconds * 1_000), key.expiresAt, until);
  return [
    {
      type: 'OrganisationKeyReplaced',
      data: { orgId, keyId: key.keyId, keyHash, replacedAt: now, expiresAt: until, formerEndsAt },
    },
  ];
};

/** Nothing to do for one that is revoked. Refusal: org_key_not_found. */
const revokeNamedKey = (
  { universe, key, now }: RevokeOrganisationKey,
  { orgId, namedKeys }: KeyHolder,
): OrganisationKeyRevoked[] => {
  const { keyId, revokedAt } = findNamedKey(namedKeys, universe, key);
  return revokedAt === null ? [{ type: 'OrganisationKeyRevoked', data: { orgId, keyId, revokedAt: now } }] : [];
};

const works = ({ revokedAt, expiresAt }: NamedKey, now: string): boolean =>
  revokedAt === null && Date.parse(expiresAt) > Date.parse(now);

const earliest = (...times: string[]): string =>
  new Date(Math.min(...times.map((time) => Date.parse(time)))).toISOString();

const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

const checkedExpiry = (expiresAt: string, now: string): string => {
  const [nowMs, expiresMs] = [Date.parse(now), Date.parse(expiresAt)];
  if (expiresMs <= nowMs || expiresMs > nowMs + limits.orgKeyDaysMax * dayMs) {
    throw faultAt('validation_failed', ['body', 'expires_at'], `must lie in the next ${limits.orgKeyDaysMax} days`);
  }
  return new Date(expiresMs).toISOString();
};
