import { z } from 'zod';
import { ifNoneMatch, liveCacheHeaders } from '../http/headers.ts';
import { pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { text } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { capabilityTree } from './list-rpc.ts';
import { capabilityName, normaliseCapabilityName } from './name.ts';

const searchable = new RegExp(String.raw`[\p{L}\p{N}]{${limits.capabilitySearchCharsMin}}`, 'u');

/** A part of a name, in normal form. Shorter ones are in most names, and no index finds them. */
const partOfName = text(limits.capabilityNameCharsMax)
  .transform(normaliseCapabilityName)
  .refine((part) => searchable.test(part), {
    message: `must have at least ${limits.capabilitySearchCharsMin} letters or digits in a row`,
  });

const capabilityTreeWire = onWire(capabilityTree).meta({
  id: 'CapabilityTree',
  description: 'Categories, and capabilities with their other names.',
});

const exampleTree: z.infer<typeof capabilityTreeWire> = {
  categories: [{ category: 'language', capability_count: 24 }],
  capabilities: [
    {
      name: 'machine_translation',
      category: 'language',
      description: 'Translates text from one language into another.',
      aliases: [
        { alias: 'translation', learned: false },
        { alias: 'text_translating', learned: true },
      ],
      agent_count: 12,
    },
  ],
};

export const listCapabilitiesRoute = route({
  method: 'GET',
  path: '/capabilities',
  operationId: 'listCapabilities',
  summary: 'The known capabilities with their other names',
  description:
    'What agents can be asked for: the capabilities that the registry defines, by category, and names that agents brought, each with its aliases and ' +
    `the number of agents. Of the names that agents brought, at most ${limits.learnedCapabilitiesListedMax} are listed: text finds the others. ` +
    'In pages: follow the Link header.',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  query: z.object({
    text: partOfName
      .optional()
      .describe('Only capabilities whose name, or an alias of which, contains this text; any spelling.'),
    category: capabilityName.optional().describe('Only capabilities of this category.'),
    ...pageQuery(
      'Capabilities',
      limits.capabilitiesPageMax,
      limits.capabilitiesPageDefault,
      limits.capabilitiesOffsetMax,
    ),
  }),
  headers: ifNoneMatch,
  answers: {
    200: answer('One page of capabilities.', capabilityTreeWire, exampleTree, {
      headers: { ...pageHeaders, ...liveCacheHeaders },
    }),
    304: {
      description: 'The answer of If-None-Match is still current.',
      body: null,
      headers: { ...pageHeaders, ...liveCacheHeaders },
    },
  },
});
