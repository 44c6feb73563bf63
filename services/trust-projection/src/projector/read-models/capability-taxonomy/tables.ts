import { defineTable } from '@agent-trust/projections';

/** A capability of the seed taxonomy with the texts that it is searched by. */
export type CapabilityRow = {
  name: string;
  category: string;
  description: string;
  aliases: readonly string[];
  phrases: readonly string[];
  nameWords: string;
  aliasWords: string;
  phraseWords: string;
};

export const capabilities = defineTable<CapabilityRow>({
  name: 'capability',
  columns: {
    name: 'text',
    category: 'text',
    description: 'text',
    aliases: 'text[]',
    phrases: 'text[]',
    nameWords: 'text',
    aliasWords: 'text',
    phraseWords: 'text',
  },
  key: ['name'],
});

/** A name or alias of a seed capability. */
export const capabilityLabels = defineTable<{ label: string; name: string }>({
  name: 'capability_label',
  columns: { label: 'text', name: 'text' },
  key: ['label', 'name'],
});

/** In how many seed capabilities a word occurs. */
export const capabilityWords = defineTable<{ word: string; uses: number }>({
  name: 'capability_word',
  columns: { word: 'text', uses: 'integer' },
  key: ['word'],
});

/** All key, so that a name which is known already is written without being read. */
export const learnedCapabilities = defineTable<{ name: string; universe: string }>({
  name: 'learned_capability',
  columns: { name: 'text', universe: 'text' },
  key: ['name', 'universe'],
});

export const learnedAliases = defineTable<{ alias: string; universe: string; name: string }>({
  name: 'learned_alias',
  columns: { alias: 'text', universe: 'text', name: 'text' },
  key: ['alias', 'universe'],
});
