import { z } from 'zod';
import { capabilityName } from '../capability/name.ts';
import { answer, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, nullableText } from '../text.ts';
import { exampleIds, exampleMatch } from './examples.ts';
import { settlementRails } from './fields.ts';
import type { previewMatch } from './queries.ts';
import { matchResult, matchResultToWire } from './wire-output.ts';

/** How a draft would rank if it were live. */

const previewRequest = z
  .object({
    sandbox_agent_id: agentId.describe('The draft: an agent of the sandbox.'),
    required_capabilities: z
      .array(capabilityName)
      .max(limits.listEntriesMax)
      .nullish()
      .describe("Default: the draft's own capabilities. An empty list asks for none."),
    settlement_rail: settlementRails
      .nullish()
      .describe('Rails of which the others must accept one. One alone may be a bare string.'),
  })
  .meta({ id: 'PreviewMatchRequest', description: 'Which draft is ranked, and for what question.' });

export const previewResult = matchResult
  .extend({ is_draft: z.boolean().describe('Whether this is the draft itself.') })
  .meta({ id: 'PreviewMatchResult', description: 'A match result, of the draft or of a live agent.' });

export const previewMatchResponse = z
  .object({
    draft_agent_id: z.string().describe('The draft.'),
    draft_rank: z.int().describe('Place of the draft among all, 1 for the best.'),
    total: z.int().describe('Number of agents that were ranked, the draft included.'),
    results: z
      .array(previewResult)
      .describe(
        `The best ${limits.previewResultsMax}, best first. The draft is always among them: last when it ranks behind them.`,
      ),
    explanation: nullableText.describe(
      'What the rank comes from and what would raise it, in a few sentences made from the scores.',
    ),
    disclaimer: z.string().describe('What a preview is worth.'),
  })
  .meta({ id: 'PreviewMatchResponse', description: 'The place of a draft among live agents.' });
type PreviewMatchResponse = z.infer<typeof previewMatchResponse>;

const disclaimer =
  'A preview from the records of this moment: nothing was written, and ranks move as agents come, change and earn. It promises no match.';

export const previewMatchRoute = route({
  method: 'POST',
  path: '/sandbox/preview_match',
  operationId: 'previewMatch',
  summary: 'How a sandbox agent would rank if it were live',
  description:
    'Ranks the configuration of a draft among the live agents that answer the question, are verified and have a trust_score of 50 or more, by the match_score of /match. ' +
    'A clone is ranked with what its live agent has earned, and that agent is not among the others; any other draft with its own record. ' +
    'Names mean what they mean to /match in production. The draft is ranked also when /match would not find it as it is, because it has no endpoint_url, accepts none of the settlement rails or ' +
    'has none of the capabilities: the explanation says so. Nothing is written.',
  tag: 'Sandbox',
  credentials: ['sandbox_key'],
  body: previewRequest,
  bodyExamples: {
    own: { summary: 'For its own capabilities', value: { sandbox_agent_id: exampleIds.draft } },
    asked: {
      summary: 'For a question',
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

/** The answer of a preview, from the code's names to the wire's. */
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
