import { defineTable, type RowOf } from '@agent-trust/projections';

/** A capability of the seed taxonomy with the texts that it is searched by, and where in the log it was defined. */
export const capabilities = defineTable({
  name: 'capability',
  columns: {
    name: 'text',
    category: 'text',
    description: 'text',
    aliases: 'text[]',
    phrases: 'text[]',
    definedPosition: 'bigint',
  },
  key: ['name'],
});
export type CapabilityRow = RowOf<typeof capabilities>;

/** A name or alias of a seed capability. */
export const capabilityLabels = defineTable({
  name: 'capability_label',
  columns: { label: 'text', name: 'text' },
  key: ['label', 'name'],
});

/** All key, so that a name which is known already is written without being read. */
export const learnedCapabilities = defineTable({
  name: 'learned_capability',
  columns: { name: 'text', universe: 'text' },
  key: ['name', 'universe'],
});

export const learnedAliases = defineTable({
  name: 'learned_alias',
  columns: { alias: 'text', universe: 'text', name: 'text' },
  key: ['alias', 'universe'],
});

/** Organisations that have confirmed a name as an alias in production, until they are enough. */
export const aliasSupports = defineTable({
  name: 'alias_support',
  columns: { alias: 'text', name: 'text', orgIds: 'text[]' },
  key: ['alias', 'name'],
});

/** Names that the operator keeps from being learned as aliases in production. */
export const undoneAliases = defineTable({ name: 'undone_alias', columns: { alias: 'text' }, key: ['alias'] });
