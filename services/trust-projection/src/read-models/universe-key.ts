import type { Universe } from '@agent-trust/contracts';

const sandboxPrefix = 'sandbox:';

/** A universe as one text, so that it can stand in a column and lead an index. */
export const universeKey = (universe: Universe): string =>
  universe.kind === 'production' ? 'production' : `${sandboxPrefix}${universe.orgId}`;

export const universeOfKey = (key: string): Universe =>
  key.startsWith(sandboxPrefix) ? { kind: 'sandbox', orgId: key.slice(sandboxPrefix.length) } : { kind: 'production' };
