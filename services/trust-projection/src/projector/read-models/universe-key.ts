import type { Universe } from '@agent-trust/contracts';

const sandboxPrefix = 'sandbox:';

/** A universe as one text, so that it can stand in a column and lead an index. */
export function universeKey(universe: Universe): string {
  return universe.kind === 'production' ? 'production' : `${sandboxPrefix}${universe.orgId}`;
}

export function universeOfKey(key: string): Universe {
  return key.startsWith(sandboxPrefix)
    ? { kind: 'sandbox', orgId: key.slice(sandboxPrefix.length) }
    : { kind: 'production' };
}
