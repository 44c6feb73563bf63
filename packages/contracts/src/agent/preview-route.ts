import { z } from 'zod';
import { capabilityName } from '../capability/name.ts';
import { answer, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, nullableText } from '../text.ts';
import { exampleIds, exampleMatch } from './examples.ts';
import { settlementRails } from './fields.ts';
import type { previewMatch } from './queries.ts';
import { matchResult, matchResultToWire } from './wire-output.ts';

const previewRequest = z
  .object({
    sandbox_agent_id: agentId.describe('The draft: an agent of the sandbox.'),
    required_capabilities: z
      .array(capabilityName)
      .max(limits.listEntriesMax)
      .nullish()
      .describe("Default: the draft's own capabilities. An empty list requires none."),
    settlement_rail: settlementRails
      .nullish()
      .describe('The others must accept one of these rails. A single rail may be a bare string.'),
  })
  .meta({ id: 'PreviewMatchRequest', description: 'The draft to rank, and the filters.' });

export const previewResult = matchResult
  .extend({ is_draft: z.boolean().describe('Whether this is the draft itself.') })
  .meta({ id: 'PreviewMatchResult', description: 'A match result, of the draft or of a live agent.' });

export const previewMatchResponse = z
  .object({
    draft_agent_id: z.string().describe('The draft.'),
    draft_rank: z.int().describe('Rank of the draft, 1 for the best.'),
    total: z.int().describe('Number of ranked agents, including the draft.'),
    results: z
      .array(previewResult)
      .describe(
        `The best ${limits.previewResultsMax}, best first. The draft is always included: last if it ranks below them.`,
      ),
    explanation: nullableText.describe(
      'Reasons for the rank and ways to raise it, in a few sentences made from the scores.',
    ),
    disclaimer: z.string().describe('The limits of a preview.'),
  })
  .meta({ id: 'PreviewMatchResponse', description: 'The rank of a draft among live agents.' });
type PreviewMatchResponse = z.infer<typeof previewMatchResponse>;

const disclaimer =
  'A preview from current records: nothing was written, and ranks change with the agents. It is no promise of a match.';

export const previewMatchRoute = route({
  method: 'POST',
  path: '/sandbox/preview_match',
  countsAs: 'reads',
  operationId: 'previewMatch',
  summary: 'How a sandbox agent would rank if it were live',
  description:
    'Ranks a draft by the match_score of /match, among the verified live agents with a trust_score of 50 or more that satisfy the filters. ' +
    'A clone ranks with the record of its live agent, which is left out; any other draft with its own. Names have the meaning that they ' +
    'have for /match in production. The draft is also ranked if /match would not find it, for lack of an endpoint_url, a settlement rail ' +
    'or a capability: the explanation says so. Nothing is written.',
  tag: 'Sandbox',
  credentials: ['sandbox_key'],
  organisationScope: 'read',
  body: previewRequest,
  bodyExamples: {
    own: { summary: 'For its own capabilities', value: { sandbox_agent_id: exampleIds.draft } },
    asked: {
      summary: 'With filters',
      value: { sandbox_agent_id: exampleIds.draft, required_capabilities: ['translation'], settlement_rail: 'x402' },
    },
  },
  answers: {
    200: answer('The draft among live agents.', previewMatchResponse, {
      draft_agent_id: exampleIds.draft,
      draft_rank: 1,
      total: 1,
      results: [{ ...exampleMatch, agent_id: exampleIds.draft, is_draft: true }],
      explanation: null,
      disclaimer,
    } satisfies PreviewMatchResponse),
  },
  errors: ['agent_not_found'],
});

export function previewToWire(
  draftAgentId: string,
  preview: z.output<typeof previewMatch.output>,
  baseUrl: string,
): PreviewMatchResponse {
  return {
    draft_agent_id: draftAgentId,
    draft_rank: preview.draftRank,
    total: preview.total,
    results: preview.results.map(({ isDraft, ...match }) => ({
      ...matchResultToWire(match, baseUrl),
      is_draft: isDraft,
    })),
    explanation: preview.explanation,
    disclaimer,
  };
}
