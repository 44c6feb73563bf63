import { z } from 'zod';
import { limits } from '../limits.ts';
import { unary } from '../rpc/method.ts';
import { nullableText } from '../text.ts';
import { universe } from '../universe.ts';

const knownAlias = z
  .object({
    alias: z.string().describe('The other name, in its normal form.'),
    learned: z
      .boolean()
      .describe('Whether owners of agents or an operator brought it; otherwise the registry defined it.'),
  })
  .meta({ id: 'KnownAlias', description: 'Another name of a capability.' });

const knownCapability = z
  .object({
    name: z.string().describe('The canonical name.'),
    category: nullableText.describe('Its category; null for a name that agents brought.'),
    description: nullableText.describe('What it is; null for a name that agents brought.'),
    aliases: z
      .array(knownAlias)
      .describe(
        `Its other names: all that the registry defined, then at most ${limits.learnedAliasesShownMax} learned.`,
      ),
    agentCount: z.int().describe('Number of agents with an endpoint that have it, as POST /match finds them.'),
  })
  .meta({ id: 'KnownCapability', description: 'A capability with its other names.' });

const capabilityCategory = z
  .object({
    category: z.string().describe('Its name.'),
    capabilityCount: z.int().describe('Number of its capabilities, whatever the filters.'),
  })
  .meta({ id: 'CapabilityCategory', description: 'A category of capabilities.' });

export const capabilityTree = z.object({
  categories: z.array(capabilityCategory).describe('Every category, by name.'),
  capabilities: z
    .array(knownCapability)
    .describe('A page of the capabilities: those of categories by category and name, then those that agents brought.'),
});

/** The capabilities that are known in a universe, a page at a time. Text and names are in normal form; a null filter is none. */
export const listCapabilities = unary('trust-projection', 'list_capabilities', {
  input: z.object({
    universe,
    text: nullableText,
    category: nullableText,
    limit: z.number(),
    offset: z.number(),
  }),
  output: capabilityTree.extend({ total: z.number() }),
});
